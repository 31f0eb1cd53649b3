import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useKeys } from '../../app/keys';
import { announce } from '../../components/announcer';
import type { DocumentSurface, PageSelection } from '../surface/document-surface';
import { motion } from '../surface/motion';
import { RenderedHtml } from '../surface/rendered-html';
import { DecisionControl } from './decision-control';
import { showDecision } from './decisions-panel';
import { FinishDialog } from './finish-dialog';
import type { ComposeMode } from './new-thread';
import { Outline } from './outline';
import { ReviewContext, type ReviewScope } from './review-context';
import { ReviewHeading } from './review-heading';
import { ReviewSide } from './review-side';
import { SelectionBar } from './selection-bar';
import type { SideTab } from './side-panel';
import { isShown, neighbour, type ThreadFilter, waitsForReader } from './thread-list';
import { threadOfHash, useFirstLook } from './use-first-look';
import { useMarginItems } from './use-margin-items';
import { useMedia, WIDE } from './use-media';
import { useNewThreads } from './use-new-threads';
import { useNews } from './use-news';
import { useReattach } from './use-reattach';
import { useSurface } from './use-surface';
import { VerdictBar } from './verdict-bar';

export interface ReviewWorkspaceProps {
  readonly scope: ReviewScope;
  readonly lastSeen: number | null;
  readonly onOpenNewest: () => void;
  /** An old version as it was left: nothing on it can change. */
  readonly readOnly: boolean;
  /** Shows a comparison in place of the text; its controls are inert, comments go to the newer version. */
  readonly comparison?: Comparison;
}

export interface Comparison {
  /** Rendered HTML with the changes marked. */
  readonly html: string;
  /** Stands above the text. */
  readonly bar: ReactNode;
  readonly title: string;
  readonly onReady?: (root: HTMLElement | null) => void;
}

/** The text of one version, its threads beside it, and everything that a reviewer does with them. */
export function ReviewWorkspace({
  scope,
  lastSeen,
  onOpenNewest,
  readOnly,
  comparison,
}: ReviewWorkspaceProps) {
  const { review, mayWrite, drafts } = scope;
  const { version, threads } = review;
  const wide = useMedia(WIDE);
  const [surface, setSurface] = useState<DocumentSurface | null>(null);
  const [selection, setSelection] = useState<PageSelection | null>(null);
  const [activeId, setActiveId] = useState<string | null>(() => threadOfHash(window.location.hash));
  const [filter, setFilter] = useState<ThreadFilter>('open');
  const [tab, setTab] = useState<SideTab>('comments');
  const [finishing, setFinishing] = useState(false);

  const activate = useCallback((id: string | null) => {
    setActiveId(id);
    if (id) setTab('comments');
  }, []);
  const writing = useNewThreads(scope, surface, activate);
  const { open: openComposer, openKey, setOpenKey } = writing;

  const shown = useMemo(() => threads.filter((thread) => isShown(thread, filter)), [threads, filter]);

  /* ---- The text ---- */

  const compares = comparison !== undefined;
  const { onReady, fieldsets } = useSurface({
    scope,
    compares,
    shown,
    activeId,
    drafts: writing.drafts,
    surface,
    setSurface,
    tellReady: comparison?.onReady,
    onSelect: setSelection,
    onPassage: (ids) => {
      const id = ids ? innermost(ids) : null;
      activate(id);
      if (id) showCard(id);
    },
    onCommentBlock: (block) => compose('comment', block),
  });

  /* ---- Going from thread to thread ---- */

  function showCard(id: string): void {
    // Wait until the card has opened and found its place.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const card = window.document.getElementById(`thread-${id}`);
        if (!card) return;
        const { top, bottom } = card.getBoundingClientRect();
        if (top < 100 || bottom > window.innerHeight - 70) {
          card.scrollIntoView({ block: wide ? 'nearest' : 'center', behavior: motion() });
        }
      }),
    );
  }

  const showPassage = useCallback(
    (id: string) => {
      const thread = threads.find((one) => one.id === id);
      if (thread?.anchor && !thread.orphaned) {
        surface?.reveal(thread.anchor.start, thread.anchor.end);
        surface?.focusPassage(id);
      }
    },
    [threads, surface],
  );

  const openThread = useCallback(
    (id: string) => {
      activate(id);
      setOpenKey(null);
      const thread = threads.find((one) => one.id === id);
      if (wide && thread?.anchor && !thread.orphaned) surface?.reveal(thread.anchor.start, thread.anchor.end);
      focusSoon(`[data-reply="${CSS.escape(id)}"]`);
    },
    [activate, threads, surface, wide, setOpenKey],
  );
  const closeThread = useCallback(
    (id: string) => {
      setActiveId(null);
      surface?.focusPassage(id);
    },
    [surface],
  );

  const step = (by: 1 | -1) => {
    const next = neighbour(
      shown.map(({ id }) => id),
      activeId,
      by,
    );
    if (!next) {
      announce('No threads here.');
      return;
    }
    activate(next);
    const thread = shown.find(({ id }) => id === next);
    if (thread?.anchor && !thread.orphaned) surface?.reveal(thread.anchor.start, thread.anchor.end);
    else showCard(next);
    focusSoon(`#thread-${CSS.escape(next)}`);
  };

  useKeys('Review', [
    ...(compares
      ? []
      : [
          { keys: 'j', label: 'Next thread', run: () => step(1) },
          { keys: 'k', label: 'Previous thread', run: () => step(-1) },
        ]),
    ...(mayWrite
      ? [
          { keys: 'c', label: 'Comment on the selection or the block', run: () => composeOn('comment') },
          { keys: 's', label: 'Suggest wording for the selection', run: () => composeOn('suggest') },
          { keys: 'f', label: 'Finish review', run: () => setFinishing(true) },
        ]
      : []),
  ]);

  function composeOn(mode: 'comment' | 'suggest'): void {
    const target = surface?.target() ?? null;
    if (target) compose(mode, target);
    else announce('Select some words, or go to a block, first.');
  }

  function compose(mode: ComposeMode, target: PageSelection | null): void {
    setTab('comments');
    setActiveId(null);
    setSelection(null);
    openComposer(mode, target);
  }

  const { attaching, setAttaching, attach, reattach } = useReattach(scope, surface, (id) => {
    setFilter('open');
    setActiveId(id);
  });

  /* ---- First look: a deep link, and new threads told aloud ---- */

  useFirstLook(scope, surface, (thread) => {
    if (thread.status === 'resolved') setFilter('all');
    activate(thread.id);
    if (thread.anchor && !thread.orphaned) surface?.reveal(thread.anchor.start, thread.anchor.end);
    else showCard(thread.id);
  });
  useNews(review);

  const items = useMarginItems({
    shown,
    activeId,
    attaching,
    writing,
    surface,
    store: drafts,
    onActivate: openThread,
    onClose: closeThread,
    onShowPassage: showPassage,
    onReattach: reattach,
  });

  return (
    <ReviewContext value={scope}>
      <div className="review" data-compares={compares || undefined}>
        {comparison?.bar}
        <div className="review__grid">
          <nav className="outline" aria-label="Outline">
            {wide && (
              <Outline
                headings={review.outline}
                sections={review.sections}
                threads={threads}
                surface={surface}
              />
            )}
          </nav>
          <article className="review__text" aria-label="Document text">
            {comparison ? (
              <h1 className="visually-hidden">{comparison.title}</h1>
            ) : (
              <ReviewHeading
                lastSeen={lastSeen}
                readOnly={readOnly}
                onOpenNewest={onOpenNewest}
                onShowLost={() => {
                  setTab('comments');
                  setFilter('unanchored');
                  focusSoon('[data-filter="unanchored"]');
                  if (!wide) document.getElementById('review-panel')?.scrollIntoView({ behavior: motion() });
                }}
              />
            )}
            <p className="visually-hidden">
              Arrow keys go from block to block. In a block, Tab leads to “Comment on this block”.
            </p>
            <div className="doc-place">
              <RenderedHtml
                className={compares ? 'prose doc-text doc-text--compared' : 'prose doc-text'}
                html={comparison?.html ?? version.html}
                onReady={onReady}
              />
              {selection && mayWrite && (
                <SelectionBar
                  selection={selection}
                  attaching={attaching !== null}
                  onCompose={(mode) => compose(mode, selection)}
                  onAttach={() => {
                    if (attaching) void attach(attaching, selection);
                  }}
                />
              )}
            </div>
          </article>
          <ReviewSide
            tab={tab}
            onTab={setTab}
            filter={filter}
            onFilter={setFilter}
            items={items}
            activeId={openKey ?? activeId}
            surface={surface}
            attaching={attaching !== null}
            onCancelAttach={() => setAttaching(null)}
            onCommentDocument={() => compose('document', null)}
          />
        </div>
        {!readOnly && !compares && (
          <VerdictBar
            onFinish={() => setFinishing(true)}
            onShowWaiting={() => {
              const waiting = threads.find(waitsForReader);
              if (!waiting) return;
              setFilter('open');
              openThread(waiting.id);
              showCard(waiting.id);
            }}
            onShowDecisions={() => {
              const open = review.decisions.find((one) => one.selections.length === 0 && one.note === null);
              const target = open ?? review.decisions[0];
              if (target) showDecision(target.id);
            }}
          />
        )}
      </div>
      {fieldsets.map(({ fieldset, decision }) => (
        <DecisionControl key={decision.id} fieldset={fieldset} decision={decision} />
      ))}
      {finishing && <FinishDialog onClose={() => setFinishing(false)} onOpenNewest={onOpenNewest} />}
    </ReviewContext>
  );

  function innermost(ids: readonly string[]): string {
    // Pressing the same words again goes on to the next thread there.
    const at = activeId ? ids.indexOf(activeId) : -1;
    return at > 0 ? ids[at - 1]! : ids[ids.length - 1]!;
  }
}

/** Focus goes to something that the next render brings. */
function focusSoon(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true }));
}
