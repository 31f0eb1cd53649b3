/** Keeps columns of a board as they are while a slot is linked to one of them. */
export abstract class BoardLock {
  /** Up to the end of the transaction; waits for whoever changes the board at the moment. */
  abstract lock(projectId: string): Promise<void>;
}
