import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Anchor } from '#libs/anchoring/anchor.js';
import { PassageRelocator, type RelocatedPassage } from '../../application/ports/passage-relocator.js';
import { tooSlowOrNested } from '../markdown/render-markdown.js';
import { TextWorkerThread } from '../worker/text-worker-thread.js';
import { relocatePassages } from './relocate-passages.js';

/** From this many characters of both texts together on, the worker thread does it. */
const LARGE = 128 * 1024;

/** The same for smaller texts with this many passages. */
const MANY_PASSAGES = 100;

const LIMIT_MS = 10_000;

/** Relocates a few passages of small texts at once, and everything else in a worker thread. */
@Injectable()
export class WorkerPassageRelocator extends PassageRelocator implements OnModuleDestroy {
  private readonly thread: TextWorkerThread | null;

  constructor() {
    super();
    const entry = TextWorkerThread.builtEntry();
    this.thread = entry === null ? null : new TextWorkerThread(entry);
  }

  override async relocate(
    before: string,
    after: string,
    anchors: readonly Anchor[],
  ): Promise<(RelocatedPassage | null)[]> {
    if (anchors.length === 0) return [];
    const small = before.length + after.length < LARGE && anchors.length < MANY_PASSAGES;
    if (this.thread === null || small) return relocatePassages(before, after, anchors);
    return this.thread.run({ kind: 'relocate', before, after, anchors }, LIMIT_MS, tooSlowOrNested);
  }

  async onModuleDestroy(): Promise<void> {
    await this.thread?.close();
  }
}
