import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { Mailer } from '#libs/kernel/ports/mailer.js';
import { AccountLinks } from '../account-links.js';
import { Installation } from '../installation.js';
import { InvitedAddresses } from '../ports/invited-addresses.js';
import { Persons } from '../ports/persons.js';

export type RegistrationState =
  | { readonly state: 'not-installed' }
  | { readonly state: 'closed'; readonly reason: string }
  | { readonly state: 'link-gone' }
  /** `email` is the address of the invitation, which cannot be another one. */
  | { readonly state: 'open'; readonly email: string | null };

/** Whether somebody can register at the moment, and else why not (`identity.md` 4.2). */
@Injectable()
export class GetRegistrationState {
  constructor(
    private readonly installation: Installation,
    private readonly flags: Flags,
    private readonly mailer: Mailer,
    private readonly links: AccountLinks,
    private readonly invitedAddresses: InvitedAddresses,
    private readonly persons: Persons,
    private readonly configuration: Configuration,
  ) {}

  /** `next` is where the person wants to go afterwards; an invitation into a project may open the way. */
  async execute({
    invite,
    next = null,
  }: {
    readonly invite: string | null;
    readonly next?: string | null;
  }): Promise<RegistrationState> {
    if (!(await this.installation.isDone())) return { state: 'not-installed' };
    if (this.configuration.values.companySignIn?.passwordLogin === false) {
      return closed('People of this instance sign in through their company, which makes their account.');
    }
    if (invite !== null) {
      const found = await this.links.find(invite, ['invite']);
      return found ? { state: 'open', email: found.email } : { state: 'link-gone' };
    }
    const invited = this.flags.isOn('registration.by_invitation')
      ? await this.invitedAddresses.ofPath(next)
      : null;
    if (invited === null && !this.flags.isOn('registration.enabled')) {
      return closed('An administrator has switched registration off. Ask one for an account.');
    }
    if (!this.mailer.isOn) {
      return closed(
        'This instance cannot send mail, and an account needs a proven address. Ask an administrator for an account.',
      );
    }
    if (invited !== null) return { state: 'open', email: invited };
    const most = this.flags.int('registration.max_people');
    if (most > 0 && (await this.persons.count()) >= most) {
      return closed('This instance has as many people as it may have. Ask an administrator for an account.');
    }
    return { state: 'open', email: null };
  }
}

function closed(reason: string): RegistrationState {
  return { state: 'closed', reason };
}
