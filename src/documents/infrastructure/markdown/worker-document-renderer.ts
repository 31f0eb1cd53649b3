import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DocumentRenderer } from '../../application/ports/document-renderer.js';
import { utf8Length } from '../../domain/markdown-text.js';
import type { RenderedDocument } from '../../domain/rendered-document.js';
import { TextWorkerThread } from '../worker/text-worker-thread.js';
import { renderCommentMarkdown } from './comment-dialect.js';
import { renderMarkdown, tooSlowOrNested } from './render-markdown.js';

/** From this size on, in UTF-8 bytes, a text renders in the worker thread. */
const LARGE = 64 * 1024;

const LIMIT_MS = 10_000;

/** Small texts that some parsers take long for: deep nesting and long runs of opening signs. */
const SUSPICIOUS = /(?:[>*_`[<!&-][ \t]*){200}|^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){50}/m;

/** How many opening signs a small text may hold before it goes to the worker thread. */
const MANY_SIGNS = 4_000;

/** Renders small texts at once and large or suspicious ones in a worker thread. */
@Injectable()
export class WorkerDocumentRenderer extends DocumentRenderer implements OnModuleDestroy {
  private readonly thread: TextWorkerThread | null;

  constructor() {
    super();
    const entry = TextWorkerThread.builtEntry();
    // Only tests on the sources run without a build; there everything renders on the calling thread.
    this.thread = entry === null ? null : new TextWorkerThread(entry);
  }

  override async render(markdown: string): Promise<RenderedDocument> {
    if (this.thread === null || !needsThread(markdown)) return renderMarkdown(markdown);
    return this.thread.run({ kind: 'render', markdown }, LIMIT_MS, tooSlowOrNested);
  }

  override renderComment(markdown: string): string {
    return renderCommentMarkdown(markdown);
  }

  async onModuleDestroy(): Promise<void> {
    await this.thread?.close();
  }
}

function needsThread(markdown: string): boolean {
  if (markdown.length >= LARGE || utf8Length(markdown) > LARGE) return true;
  return SUSPICIOUS.test(markdown) || countOpeners(markdown) > MANY_SIGNS;
}

function countOpeners(markdown: string): number {
  let count = 0;
  for (let at = 0; at < markdown.length; at++) {
    const code = markdown.charCodeAt(at);
    if (code === 91 || code === 60 || code === 42 || code === 95) count += 1;
  }
  return count;
}
