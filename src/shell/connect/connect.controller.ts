import { Controller, Get, Header, Param, Query, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { ConnectGuide } from './connect-guide.js';
import { type ConnectInfo, GetConnectInfo } from './get-connect-info.js';

/** How agents connect to a project, and which have (`platform.md` 4.1). */
@Controller('api/projects/:projectId')
@UseGuards(SessionGuard)
export class ConnectController {
  constructor(private readonly connect: GetConnectInfo) {}

  @Get('connect')
  async info(@CurrentActor() actor: Actor, @Param('projectId') projectId: string): Promise<ConnectInfo> {
    return this.connect.execute(actor, projectId);
  }

  @Get('machines')
  async machines(@CurrentActor() actor: Actor, @Param('projectId') projectId: string) {
    const machines = await this.connect.machines(actor, projectId);
    return { machines: machines.map(({ clientId: _, ...machine }) => machine) };
  }
}

/** The public document that tells an agent how to set itself up (`platform.md` 4.2). */
@Controller()
export class SetupController {
  constructor(private readonly guide: ConnectGuide) {}

  @Get('setup.md')
  @Header('Content-Type', 'text/markdown; charset=utf-8')
  @Header('Cache-Control', 'no-store')
  @Header('X-Content-Type-Options', 'nosniff')
  setup(@Query('project') project: unknown): string {
    return this.guide.setupDocument(project);
  }
}
