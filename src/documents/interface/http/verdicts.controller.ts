import { Body, Controller, HttpCode, Param, Post, Put, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { KnownIdPipe, projectId } from '#libs/http/request-values.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { SaveDecisionAnswer } from '../../application/commands/save-decision-answer.js';
import { SetSectionApproval } from '../../application/commands/set-section-approval.js';
import { SubmitVerdict } from '../../application/commands/submit-verdict.js';
import { WithdrawVerdict } from '../../application/commands/withdraw-verdict.js';
import { GetDecision } from '../../application/queries/get-decision.js';
import { documentId } from './document-values.js';
import { DecisionBody, SectionBody, SubmitVerdictBody } from './documents.dto.js';

/** Verdicts, decisions and section approvals for the browser (`documents.md` 9.7). */
@Controller('api/projects/:projectId/documents/:id')
@UseGuards(SessionGuard)
export class VerdictsController {
  constructor(
    private readonly submitVerdict: SubmitVerdict,
    private readonly withdrawVerdict: WithdrawVerdict,
    private readonly saveDecision: SaveDecisionAnswer,
    private readonly getDecision: GetDecision,
    private readonly approveSection: SetSectionApproval,
  ) {}

  @Post('verdicts')
  async submit(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
    @Body(inputPipe) body: SubmitVerdictBody,
  ) {
    return this.submitVerdict.execute(actor, { ...body, projectId: project, documentId: id });
  }

  @Post('verdicts/:verdictId/withdraw')
  @HttpCode(200)
  async withdraw(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
    @Param('verdictId', new KnownIdPipe('Verdict')) verdictId: string,
  ) {
    return this.withdrawVerdict.execute(actor, { projectId: project, documentId: id, verdictId });
  }

  @Put('decisions/:decisionId')
  async answer(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
    @Param('decisionId') decisionId: string,
    @Body(inputPipe) body: DecisionBody,
  ) {
    const target = { projectId: project, documentId: id, decisionId };
    await this.saveDecision.execute(actor, { ...target, ...body });
    return this.getDecision.execute(actor, target);
  }

  @Put('sections/:headingId')
  async section(
    @CurrentActor() actor: Actor,
    @Param('projectId', projectId) project: string,
    @Param('id', documentId) id: string,
    @Param('headingId') headingId: string,
    @Body(inputPipe) body: SectionBody,
  ) {
    return this.approveSection.execute(actor, { projectId: project, documentId: id, headingId, ...body });
  }
}
