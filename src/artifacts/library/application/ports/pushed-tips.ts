import type { Maker } from '../../domain/artifact-types.js';

/** Who pushed a commit over git, noted before the refs move, so that a crash does not lose the name. */
export abstract class PushedTips {
  abstract note(artifactId: string, revision: string, maker: Maker): Promise<void>;
  abstract makerOf(artifactId: string, revision: string): Promise<Maker | null>;
  abstract forget(artifactId: string): Promise<void>;
}
