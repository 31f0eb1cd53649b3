import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { requireAdmin } from '#libs/kernel/require-admin.js';
import { StatusChecks, type StatusRequest, type StatusRow } from '../ports/status-checks.js';

/** All checks of the instance, for admins. */
@Injectable()
export class GetStatus {
  constructor(private readonly checks: StatusChecks) {}

  async execute(actor: Actor, request: StatusRequest | null): Promise<{ checks: StatusRow[] }> {
    requireAdmin(actor);
    return { checks: await this.checks.report(request) };
  }
}
