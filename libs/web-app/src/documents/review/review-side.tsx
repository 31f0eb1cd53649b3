import { Plus } from 'lucide-react';
import { Banner } from '../../components/banner';
import { Button, IconButton } from '../../components/button';
import type { DocumentSurface } from '../surface/document-surface';
import { DecisionsPanel } from './decisions-panel';
import { DetailsPanel } from './details-panel';
import { Outline } from './outline';
import { useReview } from './review-context';
import { SidePanel, type SideTab, type SideTabDef, SideTabs } from './side-panel';
import { countThreads, THREAD_FILTERS, type ThreadFilter } from './thread-list';
import { type MarginItem, ThreadMargin } from './thread-margin';
import { useMedia, WIDE } from './use-media';

export interface ReviewSideProps {
  readonly tab: SideTab;
  readonly onTab: (tab: SideTab) => void;
  readonly filter: ThreadFilter;
  readonly onFilter: (filter: ThreadFilter) => void;
  readonly items: readonly MarginItem[];
  readonly activeId: string | null;
  readonly surface: DocumentSurface | null;
  /** A thread waits for new words. */
  readonly attaching: boolean;
  readonly onCancelAttach: () => void;
  readonly onCommentDocument: () => void;
}

const FILTER_WORD: Record<ThreadFilter, string> = {
  open: 'Open',
  resolved: 'Resolved',
  unanchored: 'Unanchored',
  all: 'All',
};

/** The panel beside the text: threads in the margin, outline, decisions, details. */
export function ReviewSide(props: ReviewSideProps) {
  const {
    tab,
    onTab,
    filter,
    onFilter,
    items,
    activeId,
    surface,
    attaching,
    onCancelAttach,
    onCommentDocument,
  } = props;
  const { review, mayWrite } = useReview();
  const { threads } = review;
  const wide = useMedia(WIDE);
  const counts = countThreads(threads);
  const undecided = review.decisions.filter((one) => one.selections.length === 0 && one.note === null).length;
  const tabs: SideTabDef[] = [
    { id: 'comments', label: 'Comments', count: counts.open },
    ...(wide ? [] : [{ id: 'outline', label: 'Outline' } as const]),
    { id: 'decisions', label: 'Decisions', count: undecided, tone: 'warn' },
    { id: 'details', label: 'Details' },
  ];
  const shownTab = tabs.some(({ id }) => id === tab) ? tab : 'comments';
  return (
    <section className="review__side" aria-label="Review panel" id="review-panel">
      <div className="review__side-head">
        <SideTabs tabs={tabs} selected={shownTab} onSelect={onTab} />
        {shownTab === 'comments' && (
          // biome-ignore lint/a11y/useSemanticElements: a group of toggle buttons, not a set of fields
          <div className="thread-filter" role="group" aria-label="Show threads">
            {THREAD_FILTERS.map((one) => (
              <button
                key={one}
                type="button"
                data-filter={one}
                aria-pressed={filter === one}
                onClick={() => onFilter(one)}
              >
                {FILTER_WORD[one]} <span className="num">{counts[one]}</span>
              </button>
            ))}
            {mayWrite && (
              <IconButton label="Comment on the document" icon={Plus} size="sm" onClick={onCommentDocument} />
            )}
          </div>
        )}
        {attaching && shownTab === 'comments' && (
          <Banner
            tone="accent"
            actions={
              <Button size="sm" variant="ghost" onClick={onCancelAttach}>
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
            surface && <ThreadMargin items={items} activeId={activeId} surface={surface} label="Threads" />
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
  );
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
