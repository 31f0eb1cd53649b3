import { Injectable } from '@nestjs/common';
import {
  ArtifactGenerator,
  GenerationFailed,
  type Support,
} from '../application/ports/artifact-generator.js';
import { BridgeWork } from '../application/ports/bridge-work.js';
import type { GenerationRequest } from '../domain/generation-request.js';

/** Stands in the order of generators for coding agents that bridges start; they do the work themselves. */
@Injectable()
export class BridgeWorker extends ArtifactGenerator {
  override readonly key = 'bridge-worker';

  constructor(private readonly bridges: BridgeWork) {
    super();
  }

  override async supports(_request: GenerationRequest, projectId: string | null): Promise<Support> {
    if (projectId !== null && (await this.bridges.isServed(projectId))) return { yes: true };
    return { yes: false, why: 'no running bridge serves this project' };
  }

  override async generate(): Promise<never> {
    throw new GenerationFailed('A bridge does this work.');
  }
}
