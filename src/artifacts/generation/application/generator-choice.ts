import { Injectable } from '@nestjs/common';
import { DomainError } from '#libs/kernel/errors.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import type { GenerationRequest } from '../domain/generation-request.js';
import { type ArtifactGenerator, ArtifactGenerators } from './ports/artifact-generator.js';

/** Which generator takes a request: the first in the order of the instance that supports it. */
@Injectable()
export class GeneratorChoice {
  constructor(
    private readonly flags: Flags,
    private readonly generators: ArtifactGenerators,
  ) {}

  /** @throws DomainError `unavailable` `no_generator` that says of each why not. */
  async choose(request: GenerationRequest, projectId: string): Promise<ArtifactGenerator> {
    const reasons: string[] = [];
    for (const key of this.flags.list(`artifacts.generators.${request.type}`)) {
      const generator = this.generators.find(key);
      const support = generator
        ? await generator.supports(request, projectId)
        : { yes: false as const, why: `this server has no generator ${key}` };
      if (generator && support.yes) return generator;
      if (!support.yes) reasons.push(support.why);
    }
    const why = reasons.length > 0 ? joined(reasons) : 'the instance names none';
    throw new DomainError('unavailable', 'no_generator', `type ${request.type} needs a generator: ${why}.`);
  }
}

function joined(reasons: readonly string[]): string {
  return reasons.length === 1 ? reasons[0]! : `${reasons.slice(0, -1).join(', ')} and ${reasons.at(-1)}`;
}
