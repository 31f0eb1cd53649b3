import { useMemo } from 'react';
import type { DraftStore } from '../drafts/draft-store';
import type { Thread } from '../shapes';
import { authorName } from '../status';
import type { DocumentSurface, PageSelection } from '../surface/document-surface';
import { Composer, FoldedDraft } from './composer';
import { ThreadCard, type ThreadCardProps } from './thread-card';
import type { MarginItem } from './thread-margin';
import type { useNewThreads } from './use-new-threads';

type CardDeeds = Pick<ThreadCardProps, 'onActivate' | 'onClose' | 'onShowPassage' | 'onReattach'>;

export interface MarginInput extends CardDeeds {
  readonly shown: readonly Thread[];
  readonly activeId: string | null;
  /** The thread that waits for new words. */
  readonly attaching: string | null;
  readonly writing: ReturnType<typeof useNewThreads>;
  readonly surface: DocumentSurface | null;
  readonly store: DraftStore;
}

const NO_SELECTION: PageSelection = {
  selected: { ok: false, reason: 'Select some words of the text first.' },
  box: { top: 0, bottom: 0, left: 0, right: 0 },
};

/** Threads and unsent comments in the order of the text: on the whole document first, without words last. */
export function useMarginItems(input: MarginInput): readonly MarginItem[] {
  const {
    shown,
    activeId,
    attaching,
    writing,
    surface,
    store,
    onActivate,
    onClose,
    onShowPassage,
    onReattach,
  } = input;
  return useMemo((): MarginItem[] => {
    const list: { item: MarginItem; rank: number }[] = shown.map((thread) => ({
      rank: rankOf(thread.anchor?.start, thread.orphaned),
      item: {
        id: thread.id,
        span:
          thread.anchor && !thread.orphaned ? { start: thread.anchor.start, end: thread.anchor.end } : null,
        node: (
          <ThreadCard
            thread={thread}
            active={thread.id === activeId}
            onActivate={onActivate}
            onClose={onClose}
            onShowPassage={onShowPassage}
            onReattach={onReattach}
            reattaching={attaching === thread.id}
          />
        ),
        far: (
          <section className="thread thread--far">
            <p dir="auto">
              <b>{authorName(thread.author)}</b> {thread.body}
            </p>
          </section>
        ),
      },
    }));
    for (const draft of writing.drafts) {
      const open = draft.key === writing.openKey;
      list.push({
        rank: draft.lost ? Number.POSITIVE_INFINITY : rankOf(draft.anchor?.start, false),
        item: {
          id: draft.key,
          span:
            draft.anchor && !draft.lost
              ? { start: draft.anchor.start, end: draft.anchor.start + draft.anchor.quote.length }
              : null,
          node: (
            <section
              className="thread thread--new"
              data-active={open || undefined}
              data-tethered={draft.anchor && !draft.lost ? '' : undefined}
              aria-label="Unsent comment"
            >
              {open ? (
                <Composer
                  draft={draft}
                  store={store}
                  busy={writing.sending === draft.key}
                  problem={writing.problems[draft.key] || null}
                  onReanchor={(toSelection) =>
                    writing.reanchor(draft.key, toSelection ? (surface?.target() ?? NO_SELECTION) : null)
                  }
                  onSend={() => void writing.send(draft.key)}
                  onClose={writing.close}
                  onDiscard={() => writing.discard(draft.key)}
                />
              ) : (
                <FoldedDraft
                  draft={draft}
                  store={store}
                  onOpen={() => writing.setOpenKey(draft.key)}
                  onDiscard={() => writing.discard(draft.key)}
                />
              )}
            </section>
          ),
        },
      });
    }
    return list.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
  }, [shown, activeId, attaching, writing, surface, store, onActivate, onClose, onShowPassage, onReattach]);
}

function rankOf(start: number | undefined, orphaned: boolean): number {
  return orphaned ? Number.MAX_VALUE : (start ?? -1);
}
