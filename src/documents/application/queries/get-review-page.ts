import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';
import { PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import type { DecisionBlock, OutlineEntry, RenderedSection } from '../../domain/rendered-document.js';
import { standing } from '../../domain/verdict.js';
import { People } from '../people.js';
import { DocumentRenderer } from '../ports/document-renderer.js';
import { HighlightRepository } from '../ports/highlight-repository.js';
import { ReviewRepository } from '../ports/review-repository.js';
import { verdictAnswer } from '../verdict-answers.js';
import { AgentReviewReader } from './agent-review-reader.js';
import { decisionPageAnswer } from './decision-page-answer.js';
import { DocumentReader } from './document-reader.js';
import { answeredDecisions, sectionApprovals } from './review-answers.js';
import { type ThreadAnswer, threadAnswer, writersOf } from './thread-answers.js';
import { ThreadReader } from './thread-reader.js';

interface VersionTexts {
  readonly html: string;
  readonly plainText: string;
  readonly outline: OutlineEntry[];
  readonly sections: RenderedSection[];
  readonly decisions: DecisionBlock[];
}

const TEXT_COLUMNS = [
  'rendered_html AS html',
  'plain_text AS "plainText"',
  'outline',
  'sections',
  'decisions',
] as const;

export interface GetReviewPageInput {
  readonly projectId: string;
  readonly documentId: string;
  /** Default the newest. */
  readonly version?: number;
}

/**
 * Everything that the review page shows of one version, in a fixed number of statements.
 * @throws DomainError `not-found` for the document or the number of the version.
 */
@Injectable()
export class GetReviewPage {
  constructor(
    private readonly access: ProjectAccess,
    private readonly reader: DocumentReader,
    private readonly threads: ThreadReader,
    private readonly reviews: ReviewRepository,
    private readonly agentReviews: AgentReviewReader,
    private readonly highlights: HighlightRepository,
    private readonly flags: Flags,
    private readonly directory: PersonDirectory,
    private readonly renderer: DocumentRenderer,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, input: GetReviewPageInput) {
    await this.access.require(actor, input.projectId, 'read');
    const mayContribute = await this.access.can(actor, input.projectId, 'contribute');
    // One state for all statements: a revision between two of them would show threads of one version on another.
    return this.database.snapshot(() => this.read(actor, input, mayContribute));
  }

  private async read(actor: Actor, input: GetReviewPageInput, mayContribute: boolean) {
    const head = await this.reader.head(input.projectId, input.documentId);
    const version = await this.reader.version<VersionTexts>(
      head.id,
      input.version ?? head.currentVersion,
      TEXT_COLUMNS,
    );
    const links = await this.reader.links(head.id);
    const rows = await this.threads.ofVersion(version.id);
    const verdict = standing(await this.reviews.newestVerdict(version.id));
    const answers = await this.reviews.answers(head.id);
    const approvals = await this.reviews.approvals(head.id);
    const agentReviews = await this.agentReviews.newest(head.id);
    const highlights = await this.tinted(version.id);
    const reader = personIdOf(actor);
    const lastSeenVersion = await this.lastSeen(head.id, reader);
    const people = await People.of(this.directory, [
      version.authorUserId,
      verdict?.reviewerUserId ?? null,
      ...answers.map((answer) => answer.updatedByUserId),
      ...writersOf(rows),
    ]);

    const now = this.clock.now();
    const threads = rows.map((row) => threadAnswer(row, people, actor, now));
    const decisions = answeredDecisions(version.decisions, answers).map((d) => decisionPageAnswer(d, people));
    const sections = sectionApprovals(version.sections, approvals).map(({ section, people: approvers }) => ({
      headingId: section.headingId,
      title: section.title,
      level: section.level,
      approvals: approvers.length,
      approvedByYou: reader !== null && approvers.includes(reader),
    }));
    const note = verdict?.note ?? null;
    const standingVerdict =
      verdict &&
      verdictAnswer(verdict, note === null ? null : this.renderer.renderComment(note), people, reader);
    const document = {
      id: head.id,
      projectId: head.projectId,
      title: head.title,
      status: head.status,
      archived: head.archived,
      archiveReason: head.archiveReason,
      currentVersion: head.currentVersion,
      language: head.language,
      tags: head.tags,
      series: head.series,
      seriesOrdinal: head.seriesOrdinal,
      ...links,
    };
    const author = people.author(version.authorKind, version.authorUserId);
    return {
      document,
      version: {
        number: version.number,
        description: version.description,
        author: { kind: author.kind, name: author.name },
        createdAt: version.createdAt.toISOString(),
        html: version.html,
        plainText: version.plainText,
        carried: version.carried,
        orphaned: version.orphaned,
        isCurrent: version.number === head.currentVersion,
      },
      outline: version.outline.map(({ id, level, text }) => ({ id, level, text })),
      threads,
      decisions,
      sections,
      verdict: standingVerdict,
      lastSeenVersion,
      counts: countsOf(threads),
      agentReviews,
      highlights,
      mayContribute,
      reviewRevision: revisionOf([
        document,
        version.number,
        threads,
        decisions,
        sections,
        standingVerdict,
        agentReviews,
        highlights,
      ]),
    };
  }

  /** Passages to tint; stored ones stay hidden while the flag is off. */
  private async tinted(versionId: string) {
    if (!this.flags.isOn('review.highlights.enabled')) return [];
    return (await this.highlights.ofVersion(versionId)).map(({ start, end }) => ({ start, end }));
  }

  private async lastSeen(documentId: string, reader: string | null): Promise<number | null> {
    if (reader === null) return null;
    const row = await this.database.one<{ version: number }>(
      'SELECT version_number AS version FROM documents.reader_mark WHERE user_id = $1 AND document_id = $2',
      [reader, documentId],
    );
    return row?.version ?? null;
  }
}

function countsOf(threads: readonly ThreadAnswer[]) {
  const count = (test: (thread: ThreadAnswer) => boolean) => threads.filter(test).length;
  return {
    pending: count((thread) => thread.status === 'pending'),
    addressed: count((thread) => thread.status === 'addressed'),
    resolved: count((thread) => thread.status === 'resolved'),
    orphaned: count((thread) => thread.orphaned),
  };
}

/** Changes whenever anything that the page shows beside the text does. */
function revisionOf(state: unknown): string {
  return createHash('sha256').update(JSON.stringify(state)).digest('base64url').slice(0, 16);
}
