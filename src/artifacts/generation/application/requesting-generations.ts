import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { RequestGeneration } from './commands/request-generation.js';
import {
  type GenerationArguments,
  GenerationRequests,
  type GenerationSecrets,
  type RequestedGeneration,
} from './ports/generation-requests.js';

/** The door of generation for `artifact_create`. */
@Injectable()
export class RequestingGenerations extends GenerationRequests {
  constructor(private readonly requests: RequestGeneration) {
    super();
  }

  override request(
    actor: Actor,
    projectId: string,
    given: GenerationArguments,
    { figmaToken }: GenerationSecrets,
  ): Promise<RequestedGeneration> {
    return this.requests.execute(actor, { projectId, given, figmaToken });
  }
}
