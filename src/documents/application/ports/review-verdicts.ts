import type { PersonActor } from '#libs/kernel/actor.js';
import type { VerdictKind } from '../../domain/document.js';

export interface VerdictFromElsewhere {
  readonly projectId: string;
  readonly documentId: string;
  /** The version that the person was shown. */
  readonly version: number;
  readonly verdict: VerdictKind;
  readonly note: string | null;
  /** The verdict that the person was shown, null for none; left out, it is not checked. */
  readonly previousVerdictId?: string | null;
}

/** Verdicts given elsewhere than on the page of the document, with the same rules and refusals. */
export abstract class ReviewVerdicts {
  /** @returns the id of the verdict */
  abstract submit(person: PersonActor, verdict: VerdictFromElsewhere): Promise<string>;
}
