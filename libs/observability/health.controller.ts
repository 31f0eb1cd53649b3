import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { type ProbeAnswer, Probes } from './probes.js';

/** The probes of a process that serves people. */
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(private readonly probes: Probes) {}

  @Get('livez')
  livez(@Res() response: Response): void {
    send(response, this.probes.livez());
  }

  @Get('healthz')
  async healthz(@Headers('loupe-probe-token') token: string | undefined, @Res() response: Response) {
    send(response, await this.probes.healthz(token));
  }

  @Get('metrics')
  async metrics(@Headers('authorization') authorization: string | undefined, @Res() response: Response) {
    send(response, await this.probes.prometheus(authorization));
  }
}

function send(response: Response, { status, headers, body }: ProbeAnswer): void {
  response.status(status).set(headers).send(body);
}
