import { Body, Controller, Get, HttpCode, Param, Patch, Post, Put, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { projectId } from '#libs/http/request-values.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { AddComment } from '../../application/commands/add-comment.js';
import { DeleteThread } from '../../application/commands/delete-thread.js';
import { EditComment } from '../../application/commands/edit-comment.js';
import { PurgeThread } from '../../application/commands/purge-thread.js';
import { ReattachThread } from '../../application/commands/reattach-thread.js';
import { ReopenThread } from '../../application/commands/reopen-thread.js';
import { ReplyToComment } from '../../application/commands/reply-to-comment.js';
import { ResolveThread } from '../../application/commands/resolve-thread.js';
import { RestoreThread } from '../../application/commands/restore-thread.js';
import { GetCurrentThread } from '../../application/queries/get-current-thread.js';
import { GetThread } from '../../application/queries/get-thread.js';
import { ListDeletedThreads } from '../../application/queries/list-deleted-threads.js';
import { commentId, documentId } from './document-values.js';
import { AddCommentBody, ReattachBody, TextBody } from './documents.dto.js';

/** Comments and their threads for the browser (`documents.md` 9.7). */
@Controller('api/projects/:projectId/documents/:id')
@UseGuards(SessionGuard)
export class ThreadsController {
  constructor(
    private readonly addComment: AddComment,
    private readonly replyToComment: ReplyToComment,
    private readonly editComment: EditComment,
    private readonly resolveThread: ResolveThread,
    private readonly reopenThread: ReopenThread,
    private readonly deleteThread: DeleteThread,
    private readonly restoreThread: RestoreThread,
    private readonly purgeThread: PurgeThread,
    private readonly reattachThread: ReattachThread,
    private readonly getThread: GetThread,
    private readonly getCurrentThread: GetCurrentThread,
    private readonly listDeleted: ListDeletedThreads,
  ) {}

  @Get('deleted-threads')
  async deleted(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
  ) {
    return this.listDeleted.execute(actor, { projectId: project, documentId: id });
  }

  /** The newest copy of a thread, whichever version the id is of. */
  @Get('comments/:cid')
  async current(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
    @Param('cid', commentId) cid: string,
  ) {
    return this.getCurrentThread.execute(actor, { projectId: project, documentId: id, commentId: cid });
  }

  @Post('comments')
  async add(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
    @Body(inputPipe) body: AddCommentBody,
  ) {
    const added = await this.addComment.execute(actor, { ...body, projectId: project, documentId: id });
    return this.getThread.execute(actor, { projectId: project, documentId: id, commentId: added.id });
  }

  @Post('comments/:cid/replies')
  async reply(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
    @Param('cid', commentId) cid: string,
    @Body(inputPipe) body: TextBody,
  ) {
    const target = { projectId: project, documentId: id, commentId: cid };
    const added = await this.replyToComment.execute(actor, { ...target, body: body.body });
    const thread = await this.getThread.execute(actor, target);
    return thread.replies.find((reply) => reply.id === added.id);
  }

  @Patch('comments/:cid')
  async edit(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
    @Param('cid', commentId) cid: string,
    @Body(inputPipe) body: TextBody,
  ) {
    const target = { projectId: project, documentId: id, commentId: cid };
    await this.editComment.execute(actor, { ...target, body: body.body });
    return this.getThread.execute(actor, target);
  }

  @Post('comments/:cid/resolve')
  @HttpCode(200)
  async resolve(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
    @Param('cid', commentId) cid: string,
  ) {
    return this.change(this.resolveThread, actor, project, id, cid);
  }

  @Post('comments/:cid/reopen')
  @HttpCode(200)
  async reopen(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
    @Param('cid', commentId) cid: string,
  ) {
    return this.change(this.reopenThread, actor, project, id, cid);
  }

  @Post('comments/:cid/delete')
  @HttpCode(200)
  async delete(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
    @Param('cid', commentId) cid: string,
  ) {
    return this.change(this.deleteThread, actor, project, id, cid);
  }

  @Post('comments/:cid/restore')
  @HttpCode(200)
  async restore(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
    @Param('cid', commentId) cid: string,
  ) {
    return this.change(this.restoreThread, actor, project, id, cid);
  }

  @Post('comments/:cid/purge')
  @HttpCode(204)
  async purge(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
    @Param('cid', commentId) cid: string,
  ): Promise<void> {
    await this.purgeThread.execute(actor, { projectId: project, documentId: id, commentId: cid });
  }

  @Put('comments/:cid/anchor')
  async reattach(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
    @Param('cid', commentId) cid: string,
    @Body(inputPipe) body: ReattachBody,
  ) {
    const target = { projectId: project, documentId: id, commentId: cid };
    await this.reattachThread.execute(actor, { ...target, ...body });
    return this.getThread.execute(actor, target);
  }

  private async change(
    command: ResolveThread | ReopenThread | DeleteThread | RestoreThread,
    actor: Actor,
    project: string,
    id: string,
    cid: string,
  ) {
    const target = { projectId: project, documentId: id, commentId: cid };
    const changed = await command.execute(actor, target);
    return this.getThread.execute(actor, { ...target, commentId: changed.id });
  }
}
