import { Plus } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { sentenceOf } from '../../api/problem';
import { useKeys } from '../../app/keys';
import { announce } from '../../components/announcer';
import { Banner } from '../../components/banner';
import { Button, IconButton } from '../../components/button';
import { RelativeTime } from '../../components/relative-time';
import { toast } from '../../components/toast';
import { documentPaths, type Review } from '../api';
import { authorName, StatusChip } from '../status';
import { DocumentSurface, motion, type PageSelection } from '../surface/document-surface';
import { RenderedHtml } from '../surface/rendered-html';
import { Banners } from './banners';
import { Composer, FoldedDraft } from './composer';
import { DecisionControl } from './decision-control';
import { DecisionsPanel, showDecision } from './decisions-panel';
import { DetailsPanel } from './details-panel';
import { FinishDialog } from './finish-dialog';
import { Outline } from './outline';
import { ReviewContext, type ReviewScope } from './review-context';
import { SelectionBar } from './selection-bar';
import { SidePanel, type SideTab, type SideTabDef, SideTabs } from './side-panel';
import { ThreadCard } from './thread-card';
import {
  countThreads,
  isShown,
  neighbour,
  THREAD_FILTERS,
  type ThreadFilter,
  waitsForReader,
} from './thread-list';
import { type MarginItem, ThreadMargin } from './thread-margin';
import { useMedia, WIDE } from './use-media';
import { useNewThreads } from './use-new-threads';
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

const NO_SELECTION: PageSelection = {
  selected: { ok: false, reason: 'Select some words of the text first.' },
  box: { top: 0, bottom: 0, left: 0, right: 0 },
};

const FILTER_WORD: Record<ThreadFilter, string> = {
  open: 'Open',
  resolved: 'Resolved',
  unanchored: 'Unanchored',
  all: 'All',
};

/** The text of one version, its threads beside it, and everything that a reviewer does with them. */
export function ReviewWorkspace({
  scope,
  lastSeen,
  onOpenNewest,
  readOnly,
  comparison,
}: ReviewWorkspaceProps) {
  const { review, mayWrite, actions, api, documentId, projectId, drafts } = scope;
  const { document: doc, version, threads } = review;
  const wide = useMedia(WIDE);
  const [surface, setSurface] = useState<DocumentSurface | null>(null);
  const [selection, setSelection] = useState<PageSelection | null>(null);
  const [activeId, setActiveId] = useState<string | null>(() => threadOfHash(window.location.hash));
  const [filter, setFilter] = useState<ThreadFilter>('open');
  const [tab, setTab] = useState<SideTab>('comments');
  const [finishing, setFinishing] = useState(false);
  const [attaching, setAttaching] = useState<string | null>(null);

  const activate = useCallback((id: string | null) => {
    setActiveId(id);
    if (id) setTab('comments');
  }, []);
  const writing = useNewThreads(scope, surface, activate);
  const { open: openComposer, openKey, setOpenKey } = writing;

  const shown = useMemo(() => threads.filter((thread) => isShown(thread, filter)), [threads, filter]);
  const counts = useMemo(() => countThreads(threads), [threads]);

  /* ---- The text ---- */

  const events = useRef({ setSelection, openComposer, actions, mayWrite, activate, showCard });
  events.current = { setSelection, openComposer, actions, mayWrite, activate, showCard };
  const tellReady = comparison?.onReady;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the surface belongs to the text of this version; a rename does not make it anew
  const onReady = useCallback(
    (element: HTMLElement | null) => {
      tellReady?.(element);
      if (!element) {
        setSurface((old) => {
          old?.dispose();
          return null;
        });
        return;
      }
      setSurface(
        new DocumentSurface(element, version.plainText, doc.title, {
          onSelect: (next) => events.current.setSelection(next),
          onPassage: (ids) => {
            const id = ids ? innermost(ids) : null;
            events.current.activate(id);
            if (id) events.current.showCard(id);
          },
          onCommentBlock: (block) => events.current.openComposer('comment', block),
          onApprove: (headingId, approved) => void events.current.actions.approveSection(headingId, approved),
        }),
      );
    },
    [version.plainText, tellReady],
  );

  useEffect(() => {
    surface?.showThreads(
      shown.flatMap((thread) =>
        thread.anchor && !thread.orphaned
          ? [
              {
                id: thread.id,
                start: thread.anchor.start,
                end: thread.anchor.end,
                comments: 1 + thread.replies.length,
                struck: thread.replacement === '' && thread.status !== 'resolved',
              },
            ]
          : [],
      ),
    );
  }, [surface, shown]);
  useEffect(() => surface?.light(activeId), [surface, activeId]);
  const compares = comparison !== undefined;
  useEffect(() => {
    if (!compares) surface?.showSections(review.sections, mayWrite);
  }, [surface, review.sections, mayWrite, compares]);
  useEffect(() => {
    surface?.showDrafts(
      writing.drafts.flatMap(({ anchor, lost }) =>
        anchor && !lost ? [{ start: anchor.start, end: anchor.start + anchor.quote.length }] : [],
      ),
    );
  }, [surface, writing.drafts]);

  const fieldsets = useMemo(
    () =>
      surface && !compares
        ? [...surface.root.querySelectorAll<HTMLFieldSetElement>('fieldset[data-decision-id]')].flatMap(
            (fieldset) => {
              const decision = review.decisions.find(({ id }) => id === fieldset.dataset.decisionId);
              return decision ? [{ fieldset, decision }] : [];
            },
          )
        : [],
    [surface, review.decisions, compares],
  );

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

  function compose(mode: 'comment' | 'suggest' | 'strike' | 'document', target: PageSelection | null): void {
    setTab('comments');
    setActiveId(null);
    setSelection(null);
    openComposer(mode, target);
  }

  /* ---- A thread that lost its words ---- */

  const attach = useCallback(
    async (id: string, target: PageSelection | null) => {
      if (!target?.selected.ok) return;
      const { quote, start } = target.selected;
      setAttaching(null);
      setSelection(null);
      window.document.getSelection()?.removeAllRanges();
      try {
        await api.reattach(documentId, id, version.number, { quote, start });
        announce('Attached to the selection.');
        setFilter('open');
        setActiveId(id);
      } catch (error) {
        toast({ tone: 'bad', title: 'The thread was not attached.', text: sentenceOf(error) });
      } finally {
        void actions.refresh();
      }
    },
    [api, documentId, version.number, actions],
  );
  const reattach = useCallback(
    (id: string) => {
      const target = surface?.target() ?? null;
      if (target?.selected.ok && window.document.getSelection()?.isCollapsed === false)
        void attach(id, target);
      else setAttaching((now) => (now === id ? null : id));
    },
    [surface, attach],
  );

  /* ---- First look: a deep link, and new threads told aloud ---- */

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the text first stands
  useEffect(() => {
    if (!surface) return;
    const id = threadOfHash(window.location.hash);
    const thread = id ? threads.find((one) => one.id === id) : undefined;
    if (thread) {
      if (thread.status === 'resolved') setFilter('all');
      if (thread.anchor && !thread.orphaned) surface.reveal(thread.anchor.start, thread.anchor.end);
      return;
    }
    const heading = window.location.hash.slice(1);
    if (heading.startsWith('heading-')) window.document.getElementById(heading)?.scrollIntoView();
  }, [surface]);
  useNews(review);

  const items = useMemo((): MarginItem[] => {
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
            onActivate={openThread}
            onClose={closeThread}
            onShowPassage={showPassage}
            onReattach={reattach}
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
      const open = draft.key === openKey;
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
                  store={drafts}
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
                  store={drafts}
                  onOpen={() => setOpenKey(draft.key)}
                  onDiscard={() => writing.discard(draft.key)}
                />
              )}
            </section>
          ),
        },
      });
    }
    return list.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
  }, [
    shown,
    activeId,
    openThread,
    closeThread,
    showPassage,
    reattach,
    attaching,
    writing,
    openKey,
    setOpenKey,
    drafts,
    surface,
  ]);

  const undecided = review.decisions.filter((one) => one.selections.length === 0 && one.note === null).length;
  const tabs: SideTabDef[] = [
    { id: 'comments', label: 'Comments', count: counts.open },
    ...(wide ? [] : [{ id: 'outline', label: 'Outline' } as const]),
    { id: 'decisions', label: 'Decisions', count: undecided, tone: 'warn' },
    { id: 'details', label: 'Details' },
  ];
  const shownTab = tabs.some(({ id }) => id === tab) ? tab : 'comments';
  const paths = documentPaths(projectId, documentId);

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
              <header className="doc-head">
                {readOnly && (
                  <Banner
                    tone="neutral"
                    actions={
                      <Link to={paths.review}>
                        {version.number === doc.currentVersion
                          ? 'Back to the review'
                          : `Back to version ${doc.currentVersion}`}
                      </Link>
                    }
                  >
                    You are reading version {version.number} as it was left. Nothing here can change.
                  </Banner>
                )}
                <Banners
                  lastSeen={lastSeen}
                  readOnly={readOnly}
                  onOpenNewest={onOpenNewest}
                  onShowLost={() => {
                    setTab('comments');
                    setFilter('unanchored');
                    focusSoon('[data-filter="unanchored"]');
                  }}
                />
                <h1 dir="auto">{doc.title}</h1>
                <div className="doc-head__meta">
                  <StatusChip status={doc.status} />
                  <span>
                    Version {version.number} by {lower(authorName(version.author))}
                  </span>
                  <RelativeTime at={version.createdAt} />
                  {doc.series && (
                    <Link to={`${paths.list}?series=${encodeURIComponent(doc.series)}`}>
                      {doc.series}
                      {doc.seriesOrdinal !== null && `, part ${doc.seriesOrdinal}`}
                    </Link>
                  )}
                  {doc.tags.map((tag) => (
                    <span key={tag} className="tag">
                      {tag}
                    </span>
                  ))}
                </div>
              </header>
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
          <section className="review__side" aria-label="Review panel" id="review-panel">
            <div className="review__side-head">
              <SideTabs tabs={tabs} selected={shownTab} onSelect={setTab} />
              {shownTab === 'comments' && (
                // biome-ignore lint/a11y/useSemanticElements: a group of toggle buttons, not a set of fields
                <div className="thread-filter" role="group" aria-label="Show threads">
                  {THREAD_FILTERS.map((one) => (
                    <button
                      key={one}
                      type="button"
                      data-filter={one}
                      aria-pressed={filter === one}
                      onClick={() => setFilter(one)}
                    >
                      {FILTER_WORD[one]} <span className="num">{counts[one]}</span>
                    </button>
                  ))}
                  {mayWrite && (
                    <IconButton
                      label="Comment on the document"
                      icon={Plus}
                      size="sm"
                      onClick={() => compose('document', null)}
                    />
                  )}
                </div>
              )}
              {attaching !== null && shownTab === 'comments' && (
                <Banner
                  tone="accent"
                  actions={
                    <Button size="sm" variant="ghost" onClick={() => setAttaching(null)}>
                      Cancel
                    </Button>
                  }
                >
                  Select the words that this thread is about.
                </Banner>
              )}
            </div>
            <SidePanel tab={shownTab}>
              {shownTab === 'comments' &&
                (items.length === 0 ? (
                  <EmptyThreads filter={filter} may={mayWrite} total={threads.length} />
                ) : (
                  <ThreadMargin
                    items={items}
                    activeId={openKey ?? activeId}
                    surface={surface}
                    label="Threads"
                  />
                ))}
              {shownTab === 'outline' && (
                <nav className="outline outline--panel" aria-label="Outline">
                  <Outline
                    headings={review.outline}
                    sections={review.sections}
                    threads={threads}
                    surface={surface}
                    bare
                  />
                </nav>
              )}
              {shownTab === 'decisions' && <DecisionsPanel />}
              {shownTab === 'details' && <DetailsPanel />}
            </SidePanel>
          </section>
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
      {finishing && <FinishDialog onClose={() => setFinishing(false)} />}
    </ReviewContext>
  );

  function innermost(ids: readonly string[]): string {
    // Pressing the same words again goes on to the next thread there.
    const at = activeId ? ids.indexOf(activeId) : -1;
    return at > 0 ? ids[at - 1]! : ids[ids.length - 1]!;
  }
}

function EmptyThreads(props: {
  readonly filter: ThreadFilter;
  readonly may: boolean;
  readonly total: number;
}) {
  if (props.total > 0) return <p className="side-note">No thread here. Choose another filter.</p>;
  return (
    <div className="side-note">
      <p>No comments yet.</p>
      {props.may && (
        <p className="hint">
          Select words of the text, or go to a block and press <kbd>C</kbd>.
        </p>
      )}
    </div>
  );
}

/** Says in the polite region what came in from elsewhere. */
function useNews(review: Review): void {
  const before = useRef({ count: review.threads.length, version: review.document.currentVersion });
  useEffect(() => {
    const was = before.current;
    const now = { count: review.threads.length, version: review.document.currentVersion };
    before.current = now;
    if (now.version > was.version) announce(`Version ${now.version} arrived.`);
    else if (now.count > was.count) announce(`${now.count} threads now.`);
  }, [review]);
}

function threadOfHash(hash: string): string | null {
  return hash.startsWith('#thread-') ? hash.slice('#thread-'.length) : null;
}

function rankOf(start: number | undefined, orphaned: boolean): number {
  return orphaned ? Number.MAX_VALUE : (start ?? -1);
}

function lower(name: string): string {
  return name.startsWith('Agent') ? `an a${name.slice(1)}` : name;
}

/** Focus goes to something that the next render brings. */
function focusSoon(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true }));
}
