import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import type { VerdictKind } from '../domain/document.js';
import type { Verdict } from '../domain/verdict.js';
import { People } from './people.js';
import { DocumentRenderer } from './ports/document-renderer.js';

/** A verdict as pages show it. */
export interface VerdictAnswer {
  readonly id: string;
  readonly verdict: VerdictKind;
  readonly note: string | null;
  readonly noteHtml: string | null;
  readonly reviewer: { readonly personId: string | null; readonly name: string };
  readonly submittedAt: string;
  readonly yours: boolean;
}

/** Puts the name of its reviewer to a verdict. Pages only: agents never read names. */
@Injectable()
export class VerdictAnswers {
  constructor(
    private readonly people: PersonDirectory,
    private readonly renderer: DocumentRenderer,
  ) {}

  /** `noteHtml` where it is at hand, else the note is rendered again. */
  async one(actor: Actor, verdict: Verdict, noteHtml?: string | null): Promise<VerdictAnswer> {
    const people = await People.of(this.people, [verdict.reviewerUserId]);
    const html = noteHtml ?? (verdict.note === null ? null : this.renderer.renderComment(verdict.note));
    return verdictAnswer(verdict, html, people, personIdOf(actor));
  }
}

export function verdictAnswer(
  verdict: Pick<Verdict, 'id' | 'verdict' | 'note' | 'reviewerUserId' | 'submittedAt'>,
  noteHtml: string | null,
  people: People,
  reader: string | null,
): VerdictAnswer {
  return {
    id: verdict.id,
    verdict: verdict.verdict,
    note: verdict.note,
    noteHtml,
    reviewer: { personId: verdict.reviewerUserId, name: people.name(verdict.reviewerUserId) },
    submittedAt: verdict.submittedAt.toISOString(),
    yours: verdict.reviewerUserId !== null && verdict.reviewerUserId === reader,
  };
}
