import {
  Body,
  Controller,
  GoneException,
  HttpCode,
  Param,
  Post,
  Put,
  Req,
  UnsupportedMediaTypeException,
  UseGuards,
} from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import type { HttpRequest } from '#libs/http/exchange.js';
import { FlagGuard, RequireFlag } from '#libs/http/flag.guard.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { SessionOrAgentGuard } from '#libs/http/session-or-agent.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { DomainError, notFound } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { CommitPush } from '../../application/commands/commit-push.js';
import { PutPushBlob } from '../../application/commands/put-push-blob.js';
import { PutPushBlobs } from '../../application/commands/put-push-blobs.js';
import { StartPush } from '../../application/commands/start-push.js';
import { PUSH_EXPIRED } from '../../application/open-pushes.js';
import { BATCH_FORM, BATCH_TYPE, contentsOfBatch } from './blob-batch.js';
import { StartPushBody } from './ways-in.dto.js';

/** Pushes of folders: what is missing, the missing bytes, the version (`artifacts.md` 9). */
@Controller('api')
@UseGuards(SessionOrAgentGuard, FlagGuard)
@RequireFlag('artifacts.enabled')
export class PushesController {
  constructor(
    private readonly startPush: StartPush,
    private readonly putBlob: PutPushBlob,
    private readonly putBlobs: PutPushBlobs,
    private readonly commitPush: CommitPush,
  ) {}

  @Post('projects/:projectId/artifact-pushes')
  async start(
    @CurrentActor() actor: Actor,
    @Param('projectId') projectId: string,
    @Body(inputPipe) body: StartPushBody,
  ) {
    if (!isUuid(projectId)) throw notFound('Project');
    return this.startPush.execute(actor, { ...body, projectId: projectId.toLowerCase() });
  }

  @Put('artifact-pushes/:pushId/blobs/:sha256')
  async blob(
    @CurrentActor() actor: Actor,
    @Param('pushId') pushId: string,
    @Param('sha256') sha256: string,
    @Req() request: HttpRequest,
  ) {
    // A parser has read JSON by now, so its bytes are not those of the file any more.
    if (request.is('json')) {
      throw new UnsupportedMediaTypeException('Send the bytes of files as application/octet-stream.');
    }
    return orGone(this.putBlob.execute(actor, { pushId, sha256, content: request }));
  }

  /** Many small files together, as `blob-batch.ts` tells. */
  @Put('artifact-pushes/:pushId/blobs')
  @ApiConsumes(BATCH_TYPE)
  @ApiBody({ schema: { type: 'string', format: 'binary', description: BATCH_FORM } })
  async blobs(@CurrentActor() actor: Actor, @Param('pushId') pushId: string, @Req() request: HttpRequest) {
    if (!request.is(BATCH_TYPE)) {
      throw new UnsupportedMediaTypeException(`Send files together as ${BATCH_TYPE}.`);
    }
    try {
      return await orGone(this.putBlobs.execute(actor, { pushId, contents: contentsOfBatch(request) }));
    } finally {
      // What is left after a refusal is thrown away, so that the client gets to read why.
      request.resume();
    }
  }

  @Post('artifact-pushes/:pushId/commit')
  @HttpCode(200)
  async commit(@CurrentActor() actor: Actor, @Param('pushId') pushId: string) {
    return orGone(this.commitPush.execute(actor, { pushId }));
  }
}

async function orGone<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DomainError && error.code === PUSH_EXPIRED) throw new GoneException(error.message);
    throw error;
  }
}
