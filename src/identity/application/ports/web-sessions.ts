import type { WebSession } from '../../domain/web-session.js';

/** The sign-ins of people in browsers. Expiry is judged by the clock of the database. */
export abstract class WebSessions {
  abstract add(session: WebSession): Promise<void>;
  /** Ends one session of a person. @returns whether there was one. */
  abstract end(personId: string, sessionId: string): Promise<boolean>;
  /** Ends one session of whomever. @returns whose it was; null when there was none. */
  abstract endAny(sessionId: string): Promise<string | null>;
  /** Ends all sessions of a person but one. @returns how many ended. */
  abstract endAll(personId: string, exceptId?: string): Promise<number>;
  /** Notes that the person has just proved the password. */
  abstract proved(sessionId: string): Promise<void>;
  /** Notes that the session is in use; writes at most once a minute. */
  abstract seen(sessionId: string): Promise<void>;
  /** Time of the last proof; null when the session has ended. */
  abstract authTime(sessionId: string): Promise<Date | null>;
  /** Sealed id token of a session that the issuer opened, else null. */
  abstract companyToken(sessionId: string): Promise<string | null>;
  /** Deletes sessions that have ended, at most `limit`. @returns how many. */
  abstract purgeExpired(limit: number): Promise<number>;
}
