/** The address that an invitation at a path of this instance is for; null when it names none or no longer works. */
export type InvitedAddress = (path: string) => Promise<string | null>;

/**
 * Projects register here who their invitations are for, so that somebody who holds one may make an account with that
 * address while registration is closed (`platform.md` 3.7).
 */
export class InvitedAddresses {
  private find: InvitedAddress | null = null;

  register(find: InvitedAddress): void {
    this.find = find;
  }

  async ofPath(path: string | null): Promise<string | null> {
    return path === null || this.find === null ? null : this.find(path);
  }
}
