import { Injectable } from '@nestjs/common';
import { Audit } from '#libs/kernel/ports/audit.js';
import { type Browser, newWebSession } from '../../domain/web-session.js';
import { WebSessions } from '../ports/web-sessions.js';
import { personActor } from '../visitor.js';

export interface OpenedSession {
  /** Value of the cookie; it is stored nowhere. */
  readonly cookie: string;
  readonly personId: string;
  readonly sessionId: string;
}

export interface OpenWebSessionInput {
  readonly person: { readonly id: string; readonly isAdmin: boolean };
  readonly browser: Browser;
  /** Session that the browser had before; it ends, so that no id outlives a sign-in. */
  readonly previous?: { readonly personId: string; readonly sessionId: string };
  /** Sealed id token of the issuer, for company sign-in. */
  readonly companyToken?: string;
}

/** The last step of every way to sign in, within its unit of work. It checks nothing: its callers have. */
@Injectable()
export class OpenWebSession {
  constructor(
    private readonly sessions: WebSessions,
    private readonly audit: Audit,
  ) {}

  async execute({ person, browser, previous, companyToken }: OpenWebSessionInput): Promise<OpenedSession> {
    if (previous) await this.sessions.end(previous.personId, previous.sessionId);
    const { session, cookie } = newWebSession(person.id, browser, companyToken);
    await this.sessions.add(session);
    await this.audit.record(personActor(person, session.id), {
      operation: 'session.started',
      subjectType: 'person',
      subjectId: person.id,
    });
    return { cookie, personId: person.id, sessionId: session.id };
  }
}
