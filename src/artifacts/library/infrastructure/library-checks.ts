import { Injectable } from '@nestjs/common';
import { Flags } from '#libs/kernel/ports/flags.js';
import { Database } from '#libs/persistence/database.js';
import type { StatusCheck, StatusFinding } from '#src/platform/application/ports/status-checks.js';
import { GitInstallation } from '../application/ports/git-installation.js';

/** The oldest git that does all that is asked of it. */
const OLDEST = [2, 34] as const;

/** Rows of the status page about git and about stored files. */
@Injectable()
export class LibraryChecks {
  constructor(
    private readonly installation: GitInstallation,
    private readonly flags: Flags,
    private readonly database: Database,
  ) {}

  get all(): StatusCheck[] {
    return [
      { name: 'Artifact git', run: () => this.gitRow() },
      { name: 'Artifact files', run: () => this.filesRow() },
    ];
  }

  private async gitRow(): Promise<StatusFinding | null> {
    if (!this.flags.isOn('artifacts.enabled')) return null;
    const version = await this.installation.version();
    const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
    if (version === null || major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
      return {
        state: 'failed',
        sentence: `git 2.34 or newer is needed to store artifacts; ${version === null ? 'none is installed' : `git ${version} is installed`}. Install it; reading goes on meanwhile.`,
      };
    }
    const last = await this.database.one<{ at: Date | null }>(
      'SELECT max(stored_at) AS at FROM artifacts.bundle',
    );
    const packed = last?.at ? ` Last repository packed: ${last.at.toISOString()}.` : '';
    return { state: 'ok', sentence: `git ${version} is installed.${packed}` };
  }

  private async filesRow(): Promise<StatusFinding | null> {
    if (!this.flags.isOn('artifacts.enabled')) return null;
    const [row] = await this.database.query<{ count: number; sha256: string | null }>(
      'SELECT count(*), min(sha256) AS sha256 FROM artifacts.damaged_blob',
    );
    if (!row || row.count === 0) return { state: 'ok', sentence: 'No stored file was found damaged.' };
    return {
      state: 'failed',
      sentence: `${row.count} stored ${row.count === 1 ? 'file is' : 'files are'} damaged or missing, the first is ${row.sha256}. Restore the blob store from a backup.`,
    };
  }
}
