import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { CompanyIssuer } from '../ports/company-issuer.js';
import { WebSessions } from '../ports/web-sessions.js';
import { SessionAnnouncements } from '../session-announcements.js';

/**
 * Ends the session of this browser. Repeating it changes nothing. For a session that the company opened it says where
 * the one there ends.
 */
@Injectable()
export class LogOut {
  constructor(
    private readonly sessions: WebSessions,
    private readonly announcements: SessionAnnouncements,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
    private readonly issuer: CompanyIssuer,
    private readonly secrets: SecretBox,
  ) {}

  async execute(actor: PersonActor): Promise<{ readonly leaveCompanyAt: string | null }> {
    const { personId, sessionId } = actor;
    const sealed = await this.sessions.companyToken(sessionId);
    await this.unitOfWork.run(async () => {
      if (!(await this.sessions.end(personId, sessionId))) return;
      await this.audit.record(actor, {
        operation: 'session.ended',
        subjectType: 'person',
        subjectId: personId,
        context: { cause: 'logout' },
      });
      await this.announcements.ended(actor, { personId, sessionId, cause: 'logout' });
    });
    return { leaveCompanyAt: sealed === null ? null : await this.companyAddress(sealed) };
  }

  private async companyAddress(sealed: string): Promise<string | null> {
    const idToken = this.openedOrNull(sealed);
    return idToken ? this.issuer.signOutAddress(idToken) : null;
  }

  private openedOrNull(sealed: string): string | null {
    try {
      return this.secrets.open(sealed);
    } catch {
      return null;
    }
  }
}
