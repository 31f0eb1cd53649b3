import { type ArtifactGenerator, ArtifactGenerators } from '../application/ports/artifact-generator.js';

/** The generators that this server has. */
export class KnownGenerators extends ArtifactGenerators {
  private readonly byKey: ReadonlyMap<string, ArtifactGenerator>;

  constructor(generators: readonly ArtifactGenerator[]) {
    super();
    this.byKey = new Map(generators.map((generator) => [generator.key, generator]));
  }

  override find(key: string): ArtifactGenerator | undefined {
    return this.byKey.get(key);
  }
}
