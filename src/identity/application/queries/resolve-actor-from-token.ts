import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import type { ConnectionActor, Scope } from '#libs/kernel/actor.js';
import { addressKey } from '#libs/kernel/address-key.js';
import { DomainError } from '#libs/kernel/errors.js';
import { includesLevel, levelOfRole, ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { RateLimiter } from '#libs/kernel/ports/rate-limiter.js';
import { Recent } from '#libs/kernel/recent.js';
import { rememberForRequest } from '#libs/kernel/request-memo.js';
import { Database } from '#libs/persistence/database.js';
import { WIDGET_CLIENT_ID } from '../../domain/oauth-client.js';
import { Resources } from '../../domain/resources.js';
import { AccessTokens, type PresentedToken } from '../ports/access-tokens.js';
import { activePersonKey } from '../ports/person-directory.js';

const FAILED_TOKENS = { max: 60, windowSeconds: 60 };
/** No token of this server is longer; a longer text is not even looked up. */
const TOKEN_MAX = 256;

interface Row {
  readonly id: string;
  readonly person_id: string;
  readonly client_id: string;
  readonly scopes: readonly Scope[];
  readonly token_scope: string | null;
  readonly project_id: string | null;
  readonly audience: string | null;
  readonly use_unwritten: boolean;
}

/** Tokens of which is remembered who they were of, as a hint. */
const HINTS = 10_000;

/** Who a token was of when it was used last. */
interface Hint {
  readonly personId: string;
  readonly projectId: string | null;
}

/** Who stands behind an access token: one indexed read, and one of the project for bound connections. */
@Injectable()
export class ResolveActorFromToken extends AccessTokens {
  private readonly resources: Resources;
  /** By hash of the token. */
  private readonly hints = new Recent<Hint>(HINTS);

  constructor(
    configuration: Configuration,
    private readonly database: Database,
    private readonly access: ProjectAccess,
    private readonly limiter: RateLimiter,
  ) {
    super();
    this.resources = new Resources(configuration.values.defaultUri);
  }

  /** @throws DomainError `rate-limited` after 60 failures of one address in a minute. */
  override async actorOf(presented: PresentedToken): Promise<ConnectionActor | null> {
    const row = await this.rowOf(presented);
    if (!row || !this.resources.accepts(presented.path, row.audience ?? '') || !(await this.isOpen(row))) {
      await this.countFailure(presented.ip);
      return null;
    }
    if (row.use_unwritten) await this.writeUse(row.id, presented.ip);
    return {
      kind: 'connection',
      connectionId: row.id,
      personId: row.person_id,
      clientId: row.client_id,
      scopes: narrowed(row),
      boundProjectId: row.project_id,
      projectId: row.project_id,
      agentSessionId: presented.agentSessionId,
      channel: channelOf(presented.path, row.client_id),
    };
  }

  private async rowOf({ token, path, projectId, meanwhile }: PresentedToken): Promise<Row | null> {
    if (token === '' || token.length > TOKEN_MAX) return null;
    const hash = createHash('sha256').update(token).digest('hex');
    const found = this.database.hot<Row>(
      `SELECT c.id, c.person_id, c.client_id, c.scopes, c.project_id,
              a.payload ->> 'aud' AS audience, a.payload ->> 'scope' AS token_scope,
              c.last_used_at IS NULL OR c.last_used_at < now() - interval '1 minute' AS use_unwritten
       FROM identity.oauth_artefacts a
       JOIN identity.connections c ON c.id = a.grant_id
       JOIN identity.persons p ON p.id = c.person_id
       WHERE a.model = 'AccessToken' AND a.id_hash = $1 AND a.expires_at > now()
         AND c.revoked_at IS NULL AND c.expires_at > now()
         AND p.suspended_at IS NULL AND p.deletion_requested_at IS NULL AND p.email_verified_at IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM identity.blocked_clients b WHERE b.client_id = c.client_id)`,
      [hash],
    );
    const hint = this.hints.get(hash);
    if (hint && path === '/mcp') {
      this.askAhead(hint, projectId, found);
      meanwhile?.();
    }
    const [row] = await found;
    if (!row) {
      this.hints.delete(hash);
      return null;
    }
    this.hints.put(hash, { personId: row.person_id, projectId: row.project_id });
    // The statement has looked at the person too.
    rememberForRequest(activePersonKey(row.person_id), true);
    return row;
  }

  /**
   * Asks for the role together with the token, where it is likely whose role that will be: one wait for the database
   * instead of two. Both answers are those of this request; one that is about somebody else is not looked at.
   */
  private askAhead({ personId, projectId }: Hint, named: string | null, found: Promise<Row[]>): void {
    const project = projectId ?? named?.trim().toLowerCase() ?? null;
    if (project === null) return;
    const active = found.then(
      ([row]) => row?.person_id === personId,
      () => false,
    );
    rememberForRequest(activePersonKey(personId), active);
    // Whoever needs the role asks again, and hears of a failure then.
    this.access.roleOf(personId, project).catch(() => undefined);
  }

  /** A bound connection ends with the access of its person to the project, before any row of it is marked. */
  private async isOpen(row: Row): Promise<boolean> {
    if (row.project_id === null) return true;
    const role = await this.access.roleOf(row.person_id, row.project_id);
    return (
      role !== null && (!row.scopes.includes('site-review') || includesLevel(levelOfRole(role), 'contribute'))
    );
  }

  private async writeUse(connectionId: string, ip: string | null): Promise<void> {
    await this.database.query(
      `UPDATE identity.connections SET last_used_at = now(), last_ip = $2
       WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
      [connectionId, ip],
    );
  }

  private async countFailure(ip: string | null): Promise<void> {
    const result = await this.limiter.hit('identity.failed_bearer', addressKey(ip), FAILED_TOKENS);
    if (result.allowed) return;
    throw new DomainError(
      'rate-limited',
      'rate_limited',
      `Too many requests. Try again in ${result.retryAfterSeconds} seconds.`,
      { retryAfterSeconds: result.retryAfterSeconds },
    );
  }
}

/** A token may carry less than its connection when a refresh asked for less. */
function narrowed(row: Row): readonly Scope[] {
  const named = new Set((row.token_scope ?? '').split(' '));
  return row.scopes.filter((scope) => named.has(scope));
}

function channelOf(path: string, clientId: string): ConnectionActor['channel'] {
  if (clientId === WIDGET_CLIENT_ID) return 'widget';
  return path === '/mcp' || path.startsWith('/mcp/') ? 'mcp' : 'api';
}
