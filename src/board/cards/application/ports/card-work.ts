/** Work of bridges on cards; served by the workflow with the help of workers. */
export abstract class CardWork {
  /** Cancels the unclaimed requests of a card, in the running transaction. @returns how many. */
  abstract cancelUnclaimed(cardId: string): Promise<number>;
  /** Ids of the runs of bridges that go on. */
  abstract openRuns(cardId: string): Promise<readonly string[]>;
  /** Asks the bridges of the project for the usage of a run. @returns how many were asked. */
  abstract askUsage(projectId: string, runId: string): Promise<number>;
  /** The worker run that an agent session belongs to, open or ended. */
  abstract runOfSession(
    projectId: string,
    sessionId: string,
  ): Promise<{ readonly runId: string; readonly cardNumber: number | null } | null>;
  /** The worker run of an agent session while it runs, with its card and its role. */
  abstract runningWorker(
    projectId: string,
    sessionId: string,
  ): Promise<{ readonly runId: string; readonly cardId: string; readonly role: string } | null>;
}

/** No bridge can connect yet, so there is no work of bridges. */
export class NoCardWork extends CardWork {
  override async cancelUnclaimed(): Promise<number> {
    return 0;
  }

  override async openRuns(): Promise<readonly string[]> {
    return [];
  }

  override async askUsage(): Promise<number> {
    return 0;
  }

  override async runOfSession(): Promise<null> {
    return null;
  }

  override async runningWorker(): Promise<null> {
    return null;
  }
}
