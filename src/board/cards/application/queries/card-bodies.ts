import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError } from '#libs/kernel/errors.js';
import { DocumentRenderer } from '#src/documents/application/ports/document-renderer.js';

/** Rendered texts that a process keeps; each is at most some 100 KB. */
const KEPT = 100;

/** Bodies of cards as safe HTML, by the renderer of documents. The same text is rendered once, while it is kept. */
@Injectable()
export class CardBodies {
  private readonly kept = new Map<string, string>();

  constructor(private readonly renderer: DocumentRenderer) {}

  /** Null for a text that the renderer refuses; then the page shows it as it was written. */
  async html(body: string): Promise<string | null> {
    if (body === '') return '';
    const key = createHash('sha256').update(body).digest('base64');
    const known = this.kept.get(key);
    if (known !== undefined) return known;
    try {
      // Decisions are answered on documents; a card only tells of them.
      const { html } = await this.renderer.render(body, { decisions: 'text' });
      if (this.kept.size >= KEPT) this.kept.delete(this.kept.keys().next().value!);
      this.kept.set(key, html);
      return html;
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }
}
