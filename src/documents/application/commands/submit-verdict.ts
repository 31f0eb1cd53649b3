import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { conflict, Problems } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import type { VerdictKind } from '../../domain/document.js';
import { type Given, readId, readVerdictNote, readVersion } from '../../domain/texts.js';
import { requireReason, standing, type Verdict } from '../../domain/verdict.js';
import { requirePerson } from '../authorship.js';
import { DocumentNews } from '../document-news.js';
import { DocumentRenderer } from '../ports/document-renderer.js';
import { DocumentRepository } from '../ports/document-repository.js';
import { ReviewRepository } from '../ports/review-repository.js';
import { ThreadRepository } from '../ports/thread-repository.js';
import { type VerdictAnswer, VerdictAnswers } from '../verdict-answers.js';

const VERDICTS: readonly string[] = ['approved', 'changes-requested'] satisfies VerdictKind[];

export interface SubmitVerdictInput {
  readonly projectId: string;
  readonly documentId?: Given<string>;
  /** The version that was judged. */
  readonly version?: Given<number>;
  readonly verdict?: Given<string>;
  readonly note?: Given<string>;
  /** The verdict that the page showed, null for none; undefined does not check. */
  readonly previousVerdictId?: string | null;
}

/**
 * A person approves or asks for changes; a verdict on a draft publishes it by the way. A later one replaces the one
 * before. @throws InvalidInput; DomainError `not-found`, `stale_version`, `stale_verdict`, `archived`, `note_required`.
 */
@Injectable()
export class SubmitVerdict {
  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly threads: ThreadRepository,
    private readonly reviews: ReviewRepository,
    private readonly answers: VerdictAnswers,
    private readonly renderer: DocumentRenderer,
    private readonly news: DocumentNews,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, input: SubmitVerdictInput): Promise<VerdictAnswer> {
    await this.access.require(actor, input.projectId, 'contribute');
    const reviewerUserId = requirePerson(actor);
    const problems = new Problems();
    const documentId = readId(problems, 'documentId', input.documentId);
    const shown = readVersion(problems, 'version', input.version);
    const note = readVerdictNote(problems, 'note', input.note);
    const kind = input.verdict ?? '';
    if (!VERDICTS.includes(kind)) problems.add('verdict', `Use one of: ${VERDICTS.join(', ')}.`);
    problems.throwIfAny();

    const noteHtml = note === null ? null : this.renderer.renderComment(note);
    return this.unitOfWork.run(async () => {
      const document = await this.documents.hold(input.projectId, documentId);
      document.requireCurrent(shown);
      const version = (await this.documents.version(documentId, shown))!;
      const before = standing(await this.reviews.newestVerdict(version.id));
      if (input.previousVerdictId !== undefined && (before?.id ?? null) !== input.previousVerdictId)
        throw conflict(
          'stale_verdict',
          'Another verdict has arrived meanwhile. Look at it before you give yours.',
          {
            facts: { verdict: before && (await this.answers.one(actor, before)) },
          },
        );
      document.judge(kind as VerdictKind, shown);
      if (kind === 'changes-requested' && note === null)
        requireReason(kind, note, await this.threads.countPending(version.id));
      const verdict: Verdict = {
        id: this.ids.next(),
        versionId: version.id,
        verdict: kind as VerdictKind,
        note,
        reviewerUserId,
        submittedAt: this.clock.now(),
        withdrawnAt: null,
        withdrawnByUserId: null,
      };
      await this.reviews.addVerdict(verdict, noteHtml);
      await this.documents.save(document);
      await this.news.tell(actor, document, {
        events: [
          {
            type: 'VerdictSubmitted',
            payload: {
              verdictId: verdict.id,
              verdict: verdict.verdict,
              note,
              reviewerUserId,
              submittedAt: verdict.submittedAt.toISOString(),
            },
          },
        ],
        audit: [
          {
            operation: 'verdict.submitted',
            subject: { type: 'verdict', id: verdict.id },
            context: { version: shown, verdict: verdict.verdict },
          },
        ],
        live: ['status', 'list'],
      });
      return this.answers.one(actor, verdict, noteHtml);
    });
  }
}
