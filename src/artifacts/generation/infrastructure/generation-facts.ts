import { Injectable } from '@nestjs/common';
import { Flags } from '#libs/kernel/ports/flags.js';
import { Database } from '#libs/persistence/database.js';
import {
  type FailedGenerationFact,
  type GenerationFact,
  GenerationFacts,
  type GeneratorOrderFact,
} from '../../library/application/ports/library-hooks.js';
import { ArtifactGenerators } from '../application/ports/artifact-generator.js';
import { GenerationProgress } from '../application/ports/generation-progress.js';
import type { GenerationRequest, GenerationType } from '../domain/generation-request.js';

const TYPES: readonly GenerationType[] = ['p2c', 'l2c', 'f2c'];

/** A request of a type with nothing in it, to ask generators whether they are available at all. */
const EMPTY: Omit<GenerationRequest, 'type'> = {
  artifactType: 'app',
  prompt: null,
  guidelines: null,
  url: null,
  fileKey: null,
  nodesId: [],
  framework: 'html',
  styling: null,
  language: null,
  uiLibrary: null,
};

/** What the library shows of generation. */
@Injectable()
export class SharedGenerationFacts extends GenerationFacts {
  constructor(
    private readonly database: Database,
    private readonly progress: GenerationProgress,
    private readonly flags: Flags,
    private readonly all: ArtifactGenerators,
  ) {
    super();
  }

  override async of(artifactId: string): Promise<GenerationFact | null> {
    const state = await this.progress.of(artifactId);
    if (!state) return null;
    const { jobId, type, generator, progress, error, notes } = state;
    return { jobId, type, state: state.state, generator, progress, error, notes };
  }

  override async failed(limit: number): Promise<FailedGenerationFact[]> {
    return this.database.query<FailedGenerationFact>(
      `SELECT artifact_id AS "artifactId", project_id AS "projectId", type, error, finished_at AS at
         FROM artifacts.generation_job WHERE state = 'failed' ORDER BY finished_at DESC, id DESC LIMIT $1`,
      [limit],
    );
  }

  override async generators(): Promise<GeneratorOrderFact[]> {
    return Promise.all(
      TYPES.map(async (type) => {
        const order = this.flags.list(`artifacts.generators.${type}`);
        return {
          type,
          order,
          available: await Promise.all(order.map((key) => this.availability(key, type))),
        };
      }),
    );
  }

  private async availability(key: string, type: GenerationType) {
    const generator = this.all.find(key);
    if (!generator) return { key, available: false, why: `this server has no generator ${key}` };
    const support = await generator.supports({ ...EMPTY, type }, null);
    return { key, available: support.yes, why: support.yes ? null : support.why };
  }
}
