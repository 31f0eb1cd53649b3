import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Problems } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';
import { type Given, readVersion } from '../../domain/texts.js';
import { type Comparison, type ComparisonView, VersionComparer } from '../ports/version-comparer.js';
import { DocumentReader } from './document-reader.js';

const VIEWS: readonly ComparisonView[] = ['rendered', 'side-by-side', 'markdown'];

/** Comparisons kept in memory; versions never change, so none goes stale. */
const KEPT = 20;

export interface CompareVersionsInput {
  readonly projectId: string;
  readonly documentId: string;
  readonly from?: Given<number>;
  readonly to?: Given<number>;
  /** Default `rendered`. */
  readonly view?: Given<string>;
}

/**
 * What changed between two versions, in the right order whichever way they are named.
 * @throws InvalidInput; DomainError `not-found`, `too_large_to_compare`.
 */
@Injectable()
export class CompareVersions {
  private readonly kept = new Map<string, Comparison>();

  constructor(
    private readonly access: ProjectAccess,
    private readonly reader: DocumentReader,
    private readonly comparer: VersionComparer,
    private readonly database: Database,
  ) {}

  async execute(actor: Actor, input: CompareVersionsInput) {
    await this.access.require(actor, input.projectId, 'read');
    const problems = new Problems();
    const a = readVersion(problems, 'from', input.from);
    const b = readVersion(problems, 'to', input.to);
    const view = VIEWS.find((name) => name === (input.view ?? 'rendered'));
    if (!view) problems.add('view', `Use one of: ${VIEWS.join(', ')}.`);
    problems.throwIfAny();
    const { id } = await this.reader.head(input.projectId, input.documentId);
    const [from, to] = a <= b ? [a, b] : [b, a];
    const comparison = await this.compare(id, from, to, view!);
    const descriptions = await this.database.query<{ version: number; description: string | null }>(
      `SELECT number AS version, description FROM documents.document_version
       WHERE document_id = $1 AND number > $2 AND number <= $3 ORDER BY number DESC`,
      [id, from, to],
    );
    return { from, to, ...comparison, descriptions };
  }

  private async compare(id: string, from: number, to: number, view: ComparisonView): Promise<Comparison> {
    const texts = ['markdown', 'rendered_html AS html', 'renderer_version AS renderer'];
    type Texts = { markdown: string; html: string; renderer: string };
    const before = await this.reader.version<Texts>(id, from, texts);
    const after = from === to ? before : await this.reader.version<Texts>(id, to, texts);
    const key = [before.id, after.id, view, before.renderer, after.renderer].join(' ');
    const known = this.kept.get(key);
    if (known) return known;
    const comparison = await this.comparer.compare(view, before, after);
    this.kept.set(key, comparison);
    if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value!);
    return comparison;
  }
}
