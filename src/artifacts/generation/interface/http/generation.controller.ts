import { Controller, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { FlagGuard, RequireFlag } from '#libs/http/flag.guard.js';
import { projectId as knownProject } from '#libs/http/request-values.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { CancelGeneration } from '../../application/commands/cancel-generation.js';
import { RetryGeneration } from '../../application/commands/retry-generation.js';
import type { GenerationState } from '../../application/ports/generation-progress.js';

/** What people do about a generation (`artifacts.md` 11.1). */
@Controller('api/projects/:projectId/artifacts/:artifactId/generation')
@UseGuards(SessionGuard, FlagGuard)
@RequireFlag('artifacts.enabled')
export class GenerationController {
  constructor(
    private readonly cancelGeneration: CancelGeneration,
    private readonly retryGeneration: RetryGeneration,
  ) {}

  @Post('cancel')
  @HttpCode(200)
  async cancel(
    @CurrentActor() actor: Actor,
    @Param('projectId', knownProject) projectId: string,
    @Param('artifactId') artifactId: string,
  ): Promise<GenerationState> {
    return this.cancelGeneration.execute(actor, { projectId, artifactId });
  }

  @Post('retry')
  @HttpCode(200)
  async retry(
    @CurrentActor() actor: Actor,
    @Param('projectId', knownProject) projectId: string,
    @Param('artifactId') artifactId: string,
  ): Promise<GenerationState> {
    return this.retryGeneration.execute(actor, { projectId, artifactId });
  }
}
