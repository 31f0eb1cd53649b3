import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { Database } from '#libs/persistence/database.js';
import { Parameters } from '#libs/persistence/parameters.js';
import { type GitToken, GitTokens, type RevokedTokens } from '../application/ports/git-tokens.js';

const SECRET = /^lpg_[A-Za-z0-9_-]{43}$/;
const PURPOSE = 'artifact-git-token';
const COLUMNS = `id, artifact_id AS "artifactId", project_id AS "projectId", person_id AS "personId",
  connection_id AS "connectionId", access, expires_at AS "expiresAt", revoked_at AS "revokedAt"`;

@Injectable()
export class PostgresGitTokens extends GitTokens {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {
    super();
  }

  override async mint(token: Omit<GitToken, 'revokedAt'>, at: Date): Promise<string> {
    const secret = `lpg_${randomBytes(32).toString('base64url')}`;
    await this.database.query(
      `INSERT INTO artifacts.git_token
         (id, artifact_id, project_id, person_id, connection_id, access, secret_hash, expires_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        token.id,
        token.artifactId,
        token.projectId,
        token.personId,
        token.connectionId,
        token.access,
        this.secrets.keyedHash(PURPOSE, secret),
        token.expiresAt,
        at,
      ],
    );
    return secret;
  }

  override async bySecret(secret: string): Promise<GitToken | null> {
    if (!SECRET.test(secret)) return null;
    return this.database.one<GitToken>(`SELECT ${COLUMNS} FROM artifacts.git_token WHERE secret_hash = $1`, [
      this.secrets.keyedHash(PURPOSE, secret),
    ]);
  }

  override async touch(tokenId: string, at: Date): Promise<void> {
    await this.database.query('UPDATE artifacts.git_token SET last_used_at = $2 WHERE id = $1', [
      tokenId,
      at,
    ]);
  }

  override async revoke(which: RevokedTokens, at: Date): Promise<number> {
    const p = new Parameters();
    const end = p.add(at);
    const equal = (column: string, value: string | undefined): string[] =>
      value === undefined ? [] : [`${column} = ${p.add(value)}`];
    const whose = [
      ...equal('artifact_id', which.artifactId),
      ...equal('project_id', which.projectId),
      ...equal('person_id', which.personId),
      ...equal('connection_id', which.connectionId),
    ];
    if (whose.length === 0) throw new Error('Say whose git tokens end.');
    return this.end([...whose, ...equal('access', which.access)].join(' AND '), end, p);
  }

  override async revokeAll(at: Date): Promise<number> {
    const p = new Parameters();
    return this.end('true', p.add(at), p);
  }

  override async purge(before: Date): Promise<number> {
    const rows = await this.database.query(
      'DELETE FROM artifacts.git_token WHERE LEAST(expires_at, revoked_at) < $1 RETURNING id',
      [before],
    );
    return rows.length;
  }

  private async end(condition: string, at: string, { values }: Parameters): Promise<number> {
    const rows = await this.database.query(
      `UPDATE artifacts.git_token SET revoked_at = ${at} WHERE ${condition} AND revoked_at IS NULL RETURNING id`,
      values,
    );
    return rows.length;
  }
}
