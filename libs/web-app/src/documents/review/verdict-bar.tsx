import { useEffect } from 'react';
import { Button } from '../../components/button';
import { Glyph } from '../../components/icon';
import { plural } from '../../components/plural';
import { useReview } from './review-context';
import { waitsForReader } from './thread-list';

export interface VerdictBarProps {
  readonly onFinish: () => void;
  readonly onShowWaiting: () => void;
  readonly onShowDecisions: () => void;
}

/** What is open, at the foot of the page, and the way to end the review. */
export function VerdictBar({ onFinish, onShowWaiting, onShowDecisions }: VerdictBarProps) {
  const { review, mayWrite } = useReview();
  const waiting = review.threads.filter(waitsForReader).length;
  const pending = review.threads.filter((thread) => thread.status === 'pending' && !thread.orphaned).length;
  const decided = review.decisions.filter((one) => one.selections.length > 0 || one.note !== null).length;
  const approved = review.sections.filter((section) => section.approvedByYou).length;
  // Messages of the shell make way for the bar.
  useEffect(() => {
    document.documentElement.dataset.verdictBar = '';
    return () => {
      delete document.documentElement.dataset.verdictBar;
    };
  }, []);
  const nothingOpen = waiting === 0 && pending === 0;
  return (
    <section className="verdict-bar" aria-label="Finish review">
      <div className="verdict-bar__counts">
        {waiting > 0 && (
          <button type="button" className="verdict-bar__item verdict-bar__link" onClick={onShowWaiting}>
            <Glyph name="addressed" tone="warn" />
            <span>
              <b>{waiting}</b> {waiting === 1 ? 'thread waits' : 'threads wait'} for you
            </span>
          </button>
        )}
        {pending > 0 && (
          <span className="verdict-bar__item" data-minor={waiting > 0 || undefined}>
            <Glyph name="pending" tone="accent" />
            <span>
              <b>{pending}</b> {pending === 1 ? 'waits' : 'wait'} for the agent
            </span>
          </span>
        )}
        {nothingOpen && (
          <span className="verdict-bar__item">
            {review.threads.length > 0 ? (
              <>
                <Glyph name="done" tone="good" />
                <span>All answered</span>
              </>
            ) : (
              <span className="muted">No comments yet</span>
            )}
          </span>
        )}
        {review.decisions.length > 0 && (
          <button type="button" className="verdict-bar__item verdict-bar__link" onClick={onShowDecisions}>
            <span>
              Decisions{' '}
              <b>
                {decided} of {review.decisions.length}
              </b>
            </span>
            <progress className="progress" value={decided} max={review.decisions.length} aria-hidden="true" />
          </button>
        )}
        {review.sections.length > 0 && (
          <span className="verdict-bar__item" data-minor>
            <span>
              Sections{' '}
              <b>
                {approved} of {review.sections.length}
              </b>
            </span>
            <progress className="progress" value={approved} max={review.sections.length} aria-hidden="true" />
          </span>
        )}
        <span className="visually-hidden" role="status">
          {plural(waiting, 'thread')} for you, {pending} for the agent.
        </span>
      </div>
      {mayWrite && (
        <span className="verdict-bar__end">
          <Button variant="primary" onClick={onFinish}>
            Finish review
          </Button>
        </span>
      )}
    </section>
  );
}
