import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { StatusChecks, type StatusFinding, type StatusRequest } from '../ports/status-checks.js';
import { requireAdmin } from '../require-admin.js';

const LIMIT_MS = 2_000;

export interface StatusRow extends StatusFinding {
  readonly name: string;
}

/** All checks of the instance, in parallel, each cut off after 2 s. */
@Injectable()
export class GetStatus {
  constructor(private readonly checks: StatusChecks) {}

  async execute(actor: Actor, request: StatusRequest | null): Promise<{ checks: StatusRow[] }> {
    requireAdmin(actor);
    const rows = await Promise.all(
      this.checks.all.map(async (check): Promise<StatusRow | null> => {
        const finding = await limited(() => check.run(request));
        return finding && { name: check.name, ...finding };
      }),
    );
    return { checks: rows.filter((row) => row !== null) };
  }
}

async function limited(run: () => Promise<StatusFinding | null>): Promise<StatusFinding | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<StatusFinding>((done) => {
    timer = setTimeout(
      () => done({ state: 'unknown', sentence: 'The check did not answer within 2 seconds.' }),
      LIMIT_MS,
    );
  });
  try {
    return await Promise.race([run(), late]);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : 'no reason given';
    return { state: 'failed', sentence: `The check failed: ${reason}` };
  } finally {
    clearTimeout(timer);
  }
}
