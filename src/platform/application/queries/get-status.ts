import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { StatusChecks, type StatusRequest, type StatusRow } from '../ports/status-checks.js';
import { requireAdmin } from '../require-admin.js';

/** All checks of the instance, for admins. */
@Injectable()
export class GetStatus {
  constructor(private readonly checks: StatusChecks) {}

  async execute(actor: Actor, request: StatusRequest | null): Promise<{ checks: StatusRow[] }> {
    requireAdmin(actor);
    return { checks: await this.checks.report(request) };
  }
}
