import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { DomainError } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { requireAdmin } from '#libs/kernel/require-admin.js';
import type { RenderedDocument } from '../../domain/rendered-document.js';
import { DocumentRenderer } from '../ports/document-renderer.js';
import { REMARK_KINDS, type RemarkKind, StoredTexts, type StoredVersion } from '../ports/stored-texts.js';

export interface RerenderReport {
  readonly versions: { readonly seen: number; readonly rewritten: number };
  /** Comments, notes of verdicts and findings. */
  readonly remarks: { readonly seen: number; readonly rewritten: number };
  /** Versions that stay as they are, because their text, headings or decisions would change with the HTML. */
  readonly left: readonly { readonly documentId: string; readonly version: number }[];
}

/**
 * Renders stored texts anew, for when the sanitiser or the renderer of a release has to hold for old texts too. Nothing
 * that people anchored anything to ever changes: a version whose plain text, headings or decisions would come out
 * otherwise is left alone and named. Safe to repeat and beside running processes.
 */
@Injectable()
export class RerenderDocuments {
  constructor(
    private readonly texts: StoredTexts,
    private readonly renderer: DocumentRenderer,
    private readonly audit: Audit,
  ) {}

  async execute(actor: Actor): Promise<RerenderReport> {
    requireAdmin(actor);
    const versions = await this.versions();
    const remarks = { seen: 0, rewritten: 0 };
    for (const kind of REMARK_KINDS) await this.remarksOf(kind, remarks);
    if (versions.rewritten + remarks.rewritten > 0) {
      await this.audit.record(actor, {
        operation: 'documents.rerendered',
        context: { versions: versions.rewritten, remarks: remarks.rewritten },
      });
    }
    const { left, ...counts } = versions;
    return { versions: counts, remarks, left };
  }

  private async versions() {
    const left: { documentId: string; version: number }[] = [];
    let seen = 0;
    let rewritten = 0;
    for (let after: string | null = null; ; ) {
      const page: StoredVersion[] = await this.texts.versions(after);
      for (const stored of page) {
        seen += 1;
        const rendered = await this.rendered(stored.markdown);
        if (rendered === null || !sameBasis(stored, rendered)) {
          left.push({ documentId: stored.documentId, version: stored.number });
        } else if (stored.html !== rendered.html || stored.rendererVersion !== rendered.rendererVersion) {
          const { html, rendererVersion } = rendered;
          if (await this.texts.replaceVersionHtml(stored.id, html, rendererVersion)) rewritten += 1;
        }
      }
      const last = page.at(-1);
      if (!last) return { seen, rewritten, left };
      after = last.id;
    }
  }

  /** Null for a text that today's renderer refuses. */
  private async rendered(markdown: string): Promise<RenderedDocument | null> {
    try {
      return await this.renderer.render(markdown);
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }

  private async remarksOf(kind: RemarkKind, counts: { seen: number; rewritten: number }): Promise<void> {
    for (let after: string | null = null; ; ) {
      const page = await this.texts.remarks(kind, after);
      for (const remark of page) {
        counts.seen += 1;
        const html = this.renderer.renderComment(remark.text);
        if (html !== remark.html && (await this.texts.replaceRemarkHtml(kind, remark, html))) {
          counts.rewritten += 1;
        }
      }
      const last = page.at(-1);
      if (!last) return;
      after = last.id;
    }
  }
}

/** What anchors, section approvals and decision answers hold on to. */
function sameBasis(stored: StoredVersion, rendered: RenderedDocument): boolean {
  const basis = ({ plainText, outline, sections, decisions }: Omit<StoredVersion, 'id'> | RenderedDocument) =>
    JSON.parse(JSON.stringify({ plainText, outline, sections, decisions })) as unknown;
  return isDeepStrictEqual(basis(stored), basis(rendered));
}
