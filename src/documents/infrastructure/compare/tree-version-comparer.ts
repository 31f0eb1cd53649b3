import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  type ComparedText,
  type Comparison,
  type ComparisonView,
  VersionComparer,
} from '../../application/ports/version-comparer.js';
import { TextWorkerThread } from '../worker/text-worker-thread.js';
import { compareTexts } from './compare-texts.js';
import { COMPARE_LIMIT_MS, tooLargeToCompare } from './deadline.js';

/** From this many characters of both sides together on, a comparison runs in the worker thread. */
const LARGE = 64 * 1024;

/** Compares small texts at once and large ones in a worker thread. */
@Injectable()
export class TreeVersionComparer extends VersionComparer implements OnModuleDestroy {
  private readonly thread: TextWorkerThread | null;

  constructor() {
    super();
    const entry = TextWorkerThread.builtEntry();
    this.thread = entry === null ? null : new TextWorkerThread(entry);
  }

  override async compare(
    view: ComparisonView,
    before: ComparedText,
    after: ComparedText,
  ): Promise<Comparison> {
    if (this.thread === null || before.markdown.length + after.markdown.length < LARGE) {
      return compareTexts(view, before, after);
    }
    // Starting the thread and handing over the texts takes a moment that is not the comparison's.
    return this.thread.run(
      { kind: 'compare', view, before, after },
      COMPARE_LIMIT_MS + 1_000,
      tooLargeToCompare,
    );
  }

  async onModuleDestroy(): Promise<void> {
    await this.thread?.close();
  }
}
