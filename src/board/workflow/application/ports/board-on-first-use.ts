import type { Actor } from '#libs/kernel/actor.js';

/** Makes the board of a project that is older than boards, and with it the workflow that it follows. */
export abstract class BoardMaking {
  /** Safe to repeat: a project keeps the board it has. Joins the running transaction. */
  abstract ensure(actor: Actor, projectId: string): Promise<void>;
}

/** Where the cards, who make boards, register for the workflow, which they stand above. */
export class BoardOnFirstUse {
  private making: BoardMaking | null = null;

  /** @throws Error when somebody else serves it already. */
  serve(making: BoardMaking): void {
    if (this.making && this.making !== making) throw new Error('The making of boards is served already.');
    this.making = making;
  }

  /** Nothing happens while nobody serves it. */
  async ensure(actor: Actor, projectId: string): Promise<void> {
    await this.making?.ensure(actor, projectId);
  }
}
