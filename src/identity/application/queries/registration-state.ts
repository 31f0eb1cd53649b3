import { Injectable } from '@nestjs/common';
import { Flags } from '#libs/kernel/ports/flags.js';
import { Installation } from '../installation.js';

export type RegistrationState =
  | { readonly state: 'not-installed' }
  | { readonly state: 'closed'; readonly reason: string };

/**
 * Why nobody can register at the moment (`identity.md` 4.2). An address has to be proved by mail, and this release sends
 * none, so an instance with the flag on is closed too; administrators make accounts at the console.
 */
@Injectable()
export class GetRegistrationState {
  constructor(
    private readonly installation: Installation,
    private readonly flags: Flags,
  ) {}

  async execute(): Promise<RegistrationState> {
    if (!(await this.installation.isDone())) return { state: 'not-installed' };
    const reason = this.flags.isOn('registration.enabled')
      ? 'This instance cannot send mail, and an account needs a proven address. Ask an administrator for an account.'
      : 'An administrator has switched registration off. Ask one for an account.';
    return { state: 'closed', reason };
  }
}
