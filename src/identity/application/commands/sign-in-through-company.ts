import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { emailAddress } from '#libs/kernel/email-address.js';
import { DomainError, notFound, Problems } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { isOfDomain } from '../../domain/company-address.js';
import { displayName } from '../../domain/display-name.js';
import { NO_PASSWORD, Person } from '../../domain/person.js';
import type { Browser } from '../../domain/web-session.js';
import { AccountLinks } from '../account-links.js';
import { Installation } from '../installation.js';
import { CompanyIdentities } from '../ports/company-identities.js';
import type { CompanyClaims } from '../ports/company-issuer.js';
import { Persons } from '../ports/persons.js';
import { WebSessions } from '../ports/web-sessions.js';
import { SessionAnnouncements } from '../session-announcements.js';
import { type OpenedSession, OpenWebSession } from './open-web-session.js';

export interface SignInThroughCompanyInput {
  readonly claims: CompanyClaims;
  readonly browser: Browser;
  readonly previous?: { readonly personId: string; readonly sessionId: string };
}

interface Found {
  readonly person: Person;
  readonly adminByGroup: boolean;
}

/**
 * Signs somebody in whom the issuer of the company vouches for. Who came before is known by the subject of the issuer;
 * who comes first is joined to the account of the same address, when the issuer says that it is verified, or gets one.
 * @throws DomainError `not_installed`, `email_not_verified`, `domain_not_allowed`, `another_account`, `suspended`, `too_many_people`.
 */
@Injectable()
export class SignInThroughCompany {
  constructor(
    private readonly configuration: Configuration,
    private readonly installation: Installation,
    private readonly persons: Persons,
    private readonly identities: CompanyIdentities,
    private readonly sessions: WebSessions,
    private readonly links: AccountLinks,
    private readonly openSession: OpenWebSession,
    private readonly announcements: SessionAnnouncements,
    private readonly secrets: SecretBox,
    private readonly flags: Flags,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async execute(
    actor: Actor,
    { claims, browser, previous }: SignInThroughCompanyInput,
  ): Promise<OpenedSession> {
    const { companySignIn } = this.configuration.values;
    if (!companySignIn) throw notFound('Page');
    if (!(await this.installation.isDone())) {
      throw new DomainError('unavailable', 'not_installed', 'This instance is not installed yet.');
    }
    const { email } = claims;
    if (!claims.emailVerified || email === null || !isAddress(email)) {
      throw refused(
        'email_not_verified',
        'Your company does not say that your e-mail address is verified, so it cannot be used here. Ask whoever runs its sign-in.',
      );
    }
    if (!isOfDomain(email, companySignIn.allowedDomains)) {
      throw refused('domain_not_allowed', 'Addresses of this domain may not sign in to this instance.');
    }
    return this.unitOfWork.run(async () => {
      // Admins are locked in one order, before any one person.
      const activeAdmins = await this.persons.otherActiveAdmins('00000000-0000-0000-0000-000000000000');
      const known = await this.identities.find(claims.issuer, claims.subject);
      const found =
        (known && (await this.again(known.personId, known.adminByGroup))) ??
        (await this.joined(actor, email, claims)) ??
        (await this.added(actor, email, claims.name));
      const { person } = found;
      if (person.state === 'suspended') {
        throw refused('suspended', 'This account is suspended. Ask an administrator of this instance.');
      }
      const now = this.clock.now();
      const adminByGroup = await this.followGroup(actor, found, claims.groups, activeAdmins, now);
      person.signedIn(now);
      await this.persons.save(person);
      await this.outbox.publish(actor, ...person.takeEvents());
      const { issuer, subject, idToken } = claims;
      await this.identities.save({ issuer, subject, personId: person.id, adminByGroup });
      return this.openSession.execute({
        person: person.snapshot(),
        browser,
        previous,
        companyToken: this.secrets.seal(idToken ?? ''),
      });
    });
  }

  private async again(personId: string, adminByGroup: boolean): Promise<Found | null> {
    const person = await this.persons.byId(personId);
    if (!person) return null;
    return { person, adminByGroup };
  }

  private async joined(
    actor: Actor,
    email: string,
    { issuer, subject }: CompanyClaims,
  ): Promise<Found | null> {
    const person = await this.persons.byEmail(email);
    if (!person) return null;
    // Companies give addresses of those who left to others.
    if (await this.identities.hasAnother(issuer, subject, person.id)) {
      throw refused(
        'another_account',
        'Your address belongs to the account of somebody else at your company. Ask an administrator of this instance.',
      );
    }
    if (person.state === 'unverified') {
      const now = this.clock.now();
      // Nobody proved this address before, so whoever chose the password need not be its owner.
      person.dropPassword(now);
      person.verify(now);
      await this.links.burn(person.id, ['verify-email', 'reset-password', 'set-password', 'change-email']);
      await this.record(actor, 'person.verified', person.id);
    }
    return { person, adminByGroup: false };
  }

  private async added(actor: Actor, email: string, name: string | null): Promise<Found> {
    await this.persons.lockInstallation();
    const most = this.flags.int('registration.max_people');
    if (most > 0 && (await this.persons.count()) >= most) {
      throw refused(
        'too_many_people',
        'This instance has as many people as it may have. Ask an administrator for an account.',
      );
    }
    const person = Person.createVerified(
      {
        id: this.ids.next(),
        email,
        displayName: nameFrom(name, email),
        passwordHash: NO_PASSWORD,
        isAdmin: false,
      },
      this.clock.now(),
    );
    await this.persons.add(person);
    await this.record(actor, 'person.registered', person.id);
    return { person, adminByGroup: false };
  }

  /** @returns whether the group is what makes this person an administrator. */
  private async followGroup(
    actor: Actor,
    { person, adminByGroup }: Found,
    groups: readonly string[],
    activeAdmins: number,
    now: Date,
  ): Promise<boolean> {
    const { adminGroup } = this.configuration.values.companySignIn!;
    if (adminGroup === null) return adminByGroup;
    const { isAdmin, id } = person.snapshot();
    if (groups.includes(adminGroup)) {
      if (!person.promote(now)) return adminByGroup;
      await this.rightsChanged(actor, id, 'person.promoted', 'promoted');
      return true;
    }
    if (!adminByGroup || !isAdmin) return false;
    // The last one stays: an instance without administrators could not be mended from its pages.
    if (activeAdmins <= 1) return true;
    person.demote({ activeAdmins: activeAdmins - 1 }, now);
    await this.rightsChanged(actor, id, 'person.demoted', 'demoted');
    return false;
  }

  private async rightsChanged(
    actor: Actor,
    personId: string,
    operation: string,
    cause: 'promoted' | 'demoted',
  ): Promise<void> {
    await this.record(actor, operation, personId, { by: 'company group' });
    if ((await this.sessions.endAll(personId)) > 0) {
      await this.announcements.ended(actor, { personId, sessionId: null, cause });
    }
  }

  private record(
    actor: Actor,
    operation: string,
    subjectId: string,
    context?: Record<string, string>,
  ): Promise<void> {
    return this.audit.record(actor, { operation, channel: 'web', subjectType: 'person', subjectId, context });
  }
}

function refused(code: string, sentence: string): DomainError {
  return new DomainError('forbidden', code, sentence);
}

function isAddress(email: string): boolean {
  const problems = new Problems();
  emailAddress(problems, email);
  return !problems.any;
}

/** A name as the issuer tells it, in the form that names have here; else what stands before the @. */
function nameFrom(told: string | null, email: string): string {
  for (const candidate of [told?.slice(0, 100), email.split('@')[0]?.slice(0, 100)]) {
    const problems = new Problems();
    const name = displayName(problems, candidate ?? '');
    if (!problems.any) return name;
  }
  return email.slice(0, 100);
}
