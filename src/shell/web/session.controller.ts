import { Body, Controller, Get, Header, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { IsUUID } from 'class-validator';
import { Configuration } from '#libs/configuration/configuration.js';
import { version } from '#libs/configuration/version.js';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import type { HttpRequest } from '#libs/http/exchange.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { PersonActor } from '#libs/kernel/actor.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { RememberLastProject } from '#src/identity/application/commands/remember-last-project.js';
import { GetOwnAccount } from '#src/identity/application/queries/get-own-account.js';

/** Flags that change what the pages show. */
const SHOWN_FLAGS = [
  'live_updates.enabled',
  'board.enabled',
  'inbox.enabled',
  'artifacts.enabled',
  'artifacts.typed.enabled',
  'review.highlights.enabled',
  'review.diagrams.enabled',
  'exports.enabled',
];

class LastProjectDto {
  @IsUUID()
  projectId!: string;
}

/** What the app asks first: who is signed in, and what is switched on. */
@Controller('api/session')
@UseGuards(SessionGuard)
export class SessionController {
  constructor(
    private readonly configuration: Configuration,
    private readonly flags: Flags,
    private readonly account: GetOwnAccount,
    private readonly remember: RememberLastProject,
  ) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  async show(@CurrentActor() actor: PersonActor, @Req() request: HttpRequest): Promise<object> {
    const { id, displayName, isAdmin, timezone, lastProjectId, preferences } =
      await this.account.execute(actor);
    return {
      person: { id, displayName, isAdmin, timezone, shortcuts: preferences.shortcuts ?? true },
      csrfToken: request.loupe!.person!.session.csrfToken,
      flags: Object.fromEntries(SHOWN_FLAGS.map((name) => [name, this.flags.isOn(name)])),
      lastProjectId,
      version,
      defaultUri: this.configuration.values.defaultUri,
    };
  }

  @Post('last-project')
  @HttpCode(204)
  async rememberProject(@CurrentActor() actor: PersonActor, @Body() body: LastProjectDto): Promise<void> {
    await this.remember.execute(actor, body);
  }
}
