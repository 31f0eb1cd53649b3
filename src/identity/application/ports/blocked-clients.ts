/** Apps that an administrator has shut out. */
export abstract class BlockedClients {
  abstract isBlocked(clientId: string): Promise<boolean>;
  /** @returns whether anything changed. */
  abstract block(clientId: string, by: string | null): Promise<boolean>;
  /** @returns whether anything changed. */
  abstract unblock(clientId: string): Promise<boolean>;
}
