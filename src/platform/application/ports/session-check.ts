/** Says whether a web session still holds: not ended, not expired, its person active. */
export type SessionLiveness = (sessionId: string, personId: string) => Promise<boolean>;

/** Identity registers its check at start; open streams ask it. */
export class SessionCheck {
  private check: SessionLiveness | null = null;

  register(check: SessionLiveness): void {
    this.check = check;
  }

  async isOpen(sessionId: string, personId: string): Promise<boolean> {
    return this.check === null || this.check(sessionId, personId);
  }
}
