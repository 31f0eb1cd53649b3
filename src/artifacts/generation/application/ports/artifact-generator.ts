import type { GenerationRequest } from '../../domain/generation-request.js';

export interface GeneratedFile {
  readonly path: string;
  readonly content: string | Uint8Array;
}

export interface GeneratedSet {
  /** Becomes the name of the artifact; cut to 120 characters. */
  readonly name: string;
  readonly files: readonly GeneratedFile[];
  /** What was left out or could not be honoured, a sentence each. */
  readonly notes: readonly string[];
}

export interface GenerationContext {
  readonly projectId: string;
  /** Percent, 1 to 99; what falls is ignored. */
  progress(percent: number): void;
  /** Fires when the time is over or the job was cancelled. */
  readonly signal: AbortSignal;
  readonly figmaToken: string | null;
  /** What is wrong with a set, a sentence each; empty when it can be stored. */
  problemsOf(files: readonly GeneratedFile[]): readonly string[];
}

/** Why a generator does not take a request: a half sentence, such as `no model endpoint is configured`. */
export type Support = { readonly yes: true } | { readonly yes: false; readonly why: string };

/** A failure that is told to whoever asked. */
export class GenerationFailed extends Error {
  override readonly name = 'GenerationFailed';
}

/** Makes files from a request. It never writes storage or git. */
export abstract class ArtifactGenerator {
  abstract readonly key: string;
  /** `projectId` is null when asked for the instance as a whole. */
  abstract supports(request: GenerationRequest, projectId: string | null): Promise<Support>;
  /** @throws GenerationFailed with a sentence for people. */
  abstract generate(request: GenerationRequest, context: GenerationContext): Promise<GeneratedSet>;
}

/** All generators of this server. */
export abstract class ArtifactGenerators {
  abstract find(key: string): ArtifactGenerator | undefined;
}
