/** What a build may read: the files of one version, by exact path, from memory or from the process that asked. */
export interface BuildSource {
  /** All paths in order. */
  readonly paths: readonly string[];
  has(path: string): boolean;
  /** @throws Error for a path that it does not have. */
  read(path: string): Promise<Uint8Array>;
}

/** Bytes of one text that a build reads. */
const TEXT_MAX_BYTES = 5 * 1024 * 1024;

/** A file as text. @throws BuildFailure when it is larger than 5 MiB. */
export async function readText(source: BuildSource, path: string): Promise<string> {
  const content = await source.read(path);
  if (content.byteLength > TEXT_MAX_BYTES)
    throw new BuildFailure(`${path} is too large to build: over 5 MiB.`);
  return new TextDecoder().decode(content);
}

/** The artifact is to blame; its message says what to mend. */
export class BuildFailure extends Error {
  override readonly name = 'BuildFailure';
}
