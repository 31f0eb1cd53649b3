import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { Ids } from '#libs/kernel/ids.js';
import { Mailer } from '#libs/kernel/ports/mailer.js';

interface Addressee {
  readonly email: string;
  readonly displayName: string;
}

const NOT_YOU = 'If this was not you, do nothing: without the link nothing happens.';

/** The mails about accounts, in words; each is written with the running transaction. Links are good once. */
@Injectable()
export class AccountMails {
  constructor(
    private readonly mailer: Mailer,
    private readonly configuration: Configuration,
    private readonly ids: Ids,
  ) {}

  get isOn(): boolean {
    return this.mailer.isOn;
  }

  /** An address of this instance, from its configuration and never from the request. */
  link(path: string, token?: string): string {
    return this.configuration.url(token === undefined ? path : `${path}?token=${token}`);
  }

  async verify({ email, displayName }: Addressee, token: { id: string; value: string }): Promise<void> {
    await this.mailer.send({
      key: `verify-email ${token.id}`,
      to: email,
      subject: `Confirm your address for Loupe at ${this.host}`,
      paragraphs: [
        `Hello ${displayName},`,
        'You registered with this address. Open the link within 24 hours to confirm it and to sign in.',
      ],
      action: { label: 'Confirm my address', url: this.link('/verify-email', token.value) },
      footnote: NOT_YOU,
    });
  }

  /** For the owner of an address with which somebody tried to register. */
  async accountExists({ email, displayName }: Addressee): Promise<void> {
    await this.mailer.send({
      key: `account-exists ${this.ids.next()}`,
      to: email,
      subject: `You have an account for Loupe at ${this.host}`,
      paragraphs: [
        `Hello ${displayName},`,
        'Somebody, probably you, tried to register with this address. It has an account already, so nothing was changed.',
        `Forgot the password? Ask for a new one at ${this.link('/forgot-password')}.`,
      ],
      action: { label: 'Sign in', url: this.link('/login') },
      footnote: 'If this was not you, do nothing.',
    });
  }

  async reset({ email, displayName }: Addressee, token: { id: string; value: string }): Promise<void> {
    await this.mailer.send({
      key: `reset-password ${token.id}`,
      to: email,
      subject: `New password for Loupe at ${this.host}`,
      paragraphs: [
        `Hello ${displayName},`,
        'Somebody asked for a new password for your account. Open the link within one hour to choose one.',
      ],
      action: { label: 'Choose a new password', url: this.link('/reset-password', token.value) },
      footnote: `${NOT_YOU} Your password stays as it is.`,
    });
  }

  /** For somebody whose account an administrator made. */
  async welcome({ email, displayName }: Addressee, token: { id: string; value: string }): Promise<void> {
    await this.mailer.send({
      key: `set-password ${token.id}`,
      to: email,
      subject: `Your account for Loupe at ${this.host}`,
      paragraphs: [
        `Hello ${displayName},`,
        'An administrator made an account for you. Open the link within 7 days to choose your password.',
      ],
      action: { label: 'Choose a password', url: this.link('/reset-password', token.value) },
    });
  }

  /** A new password that an administrator started. */
  async chosenByAdmin(
    { email, displayName }: Addressee,
    token: { id: string; value: string },
  ): Promise<void> {
    await this.mailer.send({
      key: `set-password ${token.id}`,
      to: email,
      subject: `New password for Loupe at ${this.host}`,
      paragraphs: [
        `Hello ${displayName},`,
        'An administrator sends you a link to choose a new password. It is good for 7 days.',
      ],
      action: { label: 'Choose a new password', url: this.link('/reset-password', token.value) },
      footnote: 'If you did not ask for it, do nothing: your password stays as it is.',
    });
  }

  async invite(email: string, token: { id: string; value: string }): Promise<void> {
    await this.mailer.send({
      key: `invite ${token.id}`,
      to: email,
      subject: `You are invited to Loupe at ${this.host}`,
      paragraphs: [
        'Hello,',
        'An administrator invites you to Loupe, where people and coding agents work on projects together. Open the link within 7 days to make your account.',
      ],
      action: { label: 'Make my account', url: `${this.link('/register')}?invite=${token.value}` },
      footnote: 'If you expect no invitation, do nothing.',
    });
  }

  async confirmChange(
    { displayName }: Addressee,
    email: string,
    token: { id: string; value: string },
  ): Promise<void> {
    await this.mailer.send({
      key: `change-email ${token.id}`,
      to: email,
      subject: `Confirm your new address for Loupe at ${this.host}`,
      paragraphs: [
        `Hello ${displayName},`,
        'You asked to use this address for your account. Open the link within 24 hours to confirm it. Until then the old one stays.',
      ],
      action: { label: 'Use this address', url: this.link('/confirm-email', token.value) },
      footnote: NOT_YOU,
    });
  }

  /** Goes to the old address. */
  async changeAskedFor({ email, displayName }: Addressee): Promise<void> {
    await this.notice(email, 'Your address is about to change', [
      `Hello ${displayName},`,
      'Somebody who is signed in as you asked to use another address for your account. It changes when the link that went there is opened.',
      `If this was not you, change your password at ${this.link('/account/security')} and end the other sessions there.`,
    ]);
  }

  async passwordChanged({ email, displayName }: Addressee): Promise<void> {
    await this.notice(email, 'Your password was changed', [
      `Hello ${displayName},`,
      'The password of your account was changed, and your other sessions were ended. Connected apps stay connected.',
      `If this was not you, ask for a new password at ${this.link('/forgot-password')} and look through your connected apps.`,
    ]);
  }

  /** `eventId` keeps a repeated delivery from sending it twice. */
  async tokenReused({ email, displayName }: Addressee, eventId: string): Promise<void> {
    if (!this.mailer.isOn) return;
    await this.mailer.send({
      key: `token-reused ${eventId}`,
      to: email,
      subject: `A connected app was cut off (Loupe at ${this.host})`,
      paragraphs: [
        `Hello ${displayName},`,
        'One of your connected apps used a sign-in that had been replaced already. That happens when a copy of it was taken, so the connection was ended. The app has to be approved again.',
      ],
      action: { label: 'Look at the connected apps', url: this.link('/account/connected-apps') },
    });
  }

  async deleted({ email, displayName }: Addressee): Promise<void> {
    await this.notice(email, 'Your account is deleted', [
      `Hello ${displayName},`,
      'Your account, the projects that you owned and all your connected apps are deleted. What you wrote in projects of others shows "Deleted person".',
    ]);
  }

  private async notice(to: string, subject: string, paragraphs: readonly string[]): Promise<void> {
    // Without mail nobody can be told; the change is made all the same.
    if (!this.mailer.isOn) return;
    await this.mailer.send({
      key: `notice ${this.ids.next()}`,
      to,
      subject: `${subject} (Loupe at ${this.host})`,
      paragraphs,
    });
  }

  private get host(): string {
    return new URL(this.configuration.values.defaultUri).host;
  }
}
