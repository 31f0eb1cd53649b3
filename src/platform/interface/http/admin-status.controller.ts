import { Controller, Get, Req, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import type { HttpRequest } from '#libs/http/exchange.js';
import { AdminGuard } from '#libs/http/session.guard.js';
import type { PersonActor } from '#libs/kernel/actor.js';
import type { StatusRequest, StatusRow } from '../../application/ports/status-checks.js';
import { GetOverview, type Overview } from '../../application/queries/get-overview.js';
import { GetStatus } from '../../application/queries/get-status.js';

/** How the instance is doing, for admins (`platform.md` 6 and 11.1). */
@Controller('api/admin')
@UseGuards(AdminGuard)
export class AdminStatusController {
  constructor(
    private readonly overview: GetOverview,
    private readonly status: GetStatus,
  ) {}

  @Get('overview')
  showOverview(@CurrentActor() actor: PersonActor, @Req() request: HttpRequest): Promise<Overview> {
    return this.overview.execute(actor, factsOf(request));
  }

  @Get('status')
  showStatus(
    @CurrentActor() actor: PersonActor,
    @Req() request: HttpRequest,
  ): Promise<{ checks: StatusRow[] }> {
    return this.status.execute(actor, factsOf(request));
  }
}

function factsOf(request: HttpRequest): StatusRequest {
  return {
    protocol: request.protocol,
    host: request.get('host') ?? '',
    clientAddress: request.ip ?? '',
    forwardedFor: request.get('x-forwarded-for') ?? null,
  };
}
