import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { Database } from '#libs/persistence/database.js';
import { StatusChecks, type StatusFinding } from '#src/platform/application/ports/status-checks.js';
import { Resources } from '../../domain/resources.js';

/** Tells admins when apps hold sign-ins for another address of this instance, which it no longer accepts. */
@Injectable()
export class AudienceCheck implements OnModuleInit {
  constructor(
    private readonly checks: StatusChecks,
    private readonly database: Database,
    private readonly configuration: Configuration,
  ) {}

  onModuleInit(): void {
    this.checks.register({ name: 'Sign-ins of apps', run: () => this.run() });
  }

  async run(): Promise<StatusFinding> {
    const row = await this.database.one<{ n: number }>(
      `SELECT count(*) AS n FROM identity.connections
       WHERE revoked_at IS NULL AND expires_at > now() AND audience <> ALL ($1::text[])`,
      [new Resources(this.configuration.values.defaultUri).all],
    );
    const n = row?.n ?? 0;
    if (n === 0) return { state: 'ok', sentence: 'Every connected app signed in at this address.' };
    return {
      state: 'warning',
      sentence: `${n} connected ${n === 1 ? 'app' : 'apps'} signed in at another address of this instance and must sign in again. If DEFAULT_URI was changed by mistake, set it back.`,
    };
  }
}
