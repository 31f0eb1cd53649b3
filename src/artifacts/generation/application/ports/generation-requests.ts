import type { Actor } from '#libs/kernel/actor.js';

/** Where the files of a generated artifact come from: a prompt, a web page, frames of a Figma file. */
export type GenerationType = 'p2c' | 'l2c' | 'f2c';

/** The arguments of `artifact_create` for the generation types, as the caller gave them (`artifacts.md` 7.1). */
export interface GenerationArguments {
  readonly type: GenerationType;
  readonly artifactType?: string;
  readonly prompt?: string;
  readonly guidelines?: string;
  readonly url?: string;
  readonly fileKey?: string;
  readonly nodesId?: readonly string[];
  readonly framework?: string;
  readonly styling?: string;
  readonly language?: string;
  readonly uiLibrary?: string;
  readonly workspaceId?: string;
  /** Refused when given: they belong to `import`. */
  readonly files?: unknown;
  readonly zipUploadId?: string;
}

/** What travels beside the arguments and is never one of them. */
export interface GenerationSecrets {
  /** Value of the header `X-Figma-Token`, or null. */
  readonly figmaToken: string | null;
}

export interface RequestedGeneration {
  readonly artifactId: string;
  readonly jobId: string;
  /** True when an active job of the same request answers; then nothing was made. */
  readonly reused: boolean;
  readonly notes: readonly string[];
}

/** Generation as the library calls it from `artifact_create`. */
export abstract class GenerationRequests {
  /**
   * Checks every argument, chooses a generator, makes the artifact in status `generating` and queues the job.
   * @throws InvalidInput that names every wrong argument, `switched-off`, `unavailable` without a generator,
   *   `rate-limited` at the cap of active jobs.
   */
  abstract request(
    actor: Actor,
    projectId: string,
    given: GenerationArguments,
    secrets: GenerationSecrets,
  ): Promise<RequestedGeneration>;
}
