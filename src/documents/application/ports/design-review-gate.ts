export type DesignReviewRole = 'design-review' | 'design-revise';

export interface DesignReviewQuestion {
  readonly projectId: string;
  readonly cardId: string;
  readonly documentId: string;
  /** The caller's own session; null when it named none. */
  readonly sessionId: string | null;
  readonly role: DesignReviewRole;
}

export interface DesignReviewPass {
  readonly runId: string;
  readonly cardNumber: number;
}

/** Why somebody may not review: reported in this order when several hold. */
export type DesignReviewRefusal = 'card-not-found' | 'no-role' | 'not-linked';

/**
 * Hook that the board serves: whether this is the session of a running worker of the card, with this role, and whether
 * the card links the document. Asked inside the transaction of the call.
 */
export abstract class DesignReviewGate {
  abstract check(question: DesignReviewQuestion): Promise<DesignReviewPass | DesignReviewRefusal>;
}

/** Where other contexts register what they serve for documents, at the start of the process. */
export class DocumentHooks {
  private gate: DesignReviewGate | null = null;

  /** Null while nobody serves it; agent reviews are then refused as with the board off. */
  get designReviewGate(): DesignReviewGate | null {
    return this.gate;
  }

  /** @throws Error when somebody else serves it already. */
  serveDesignReviewGate(gate: DesignReviewGate): void {
    if (this.gate && this.gate !== gate) throw new Error('The gate of design reviews is served already.');
    this.gate = gate;
  }
}
