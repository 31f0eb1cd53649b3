import { Body, Controller, Delete, Get, HttpStatus, Param, Put, Res, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import type { HttpResponse } from '#libs/http/exchange.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { AdminGuard } from '#libs/http/session.guard.js';
import type { PersonActor } from '#libs/kernel/actor.js';
import { ResetFlag } from '../../application/commands/reset-flag.js';
import { SetFlag } from '../../application/commands/set-flag.js';
import { type FlagView, ListFlags, type UnusedFlag } from '../../application/queries/list-flags.js';
import { SetFlagBody } from './admin.dto.js';

/** Flags of the instance, for admins (`platform.md` 6). */
@Controller('api/admin/flags')
@UseGuards(AdminGuard)
export class AdminFlagsController {
  constructor(
    private readonly flags: ListFlags,
    private readonly setFlag: SetFlag,
    private readonly resetFlag: ResetFlag,
  ) {}

  @Get()
  list(@CurrentActor() actor: PersonActor): Promise<{ flags: FlagView[]; unused: UnusedFlag[] }> {
    return this.flags.execute(actor);
  }

  @Put(':name')
  async set(
    @CurrentActor() actor: PersonActor,
    @Param('name') name: string,
    @Body(inputPipe) { value }: SetFlagBody,
  ): Promise<FlagView> {
    await this.setFlag.execute(actor, { name, value });
    return this.show(actor, name) as Promise<FlagView>;
  }

  /** The flag with its default; nothing for a row that no definition knew. */
  @Delete(':name')
  async reset(
    @CurrentActor() actor: PersonActor,
    @Param('name') name: string,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<FlagView | undefined> {
    await this.resetFlag.execute(actor, { name });
    const flag = await this.show(actor, name);
    if (!flag) response.status(HttpStatus.NO_CONTENT);
    return flag;
  }

  private async show(actor: PersonActor, name: string): Promise<FlagView | undefined> {
    const { flags } = await this.flags.execute(actor);
    return flags.find((flag) => flag.name === name);
  }
}
