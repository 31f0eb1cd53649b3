import { Chip } from '../../components/chip';
import { plural } from '../../components/plural';
import { RelativeTime } from '../../components/relative-time';
import type { AgentFinding, AgentReview } from '../shapes';
import { RenderedHtml } from '../surface/rendered-html';
import { useReview } from './review-context';

/** What reviewing agents found in this document, and what its author answered. */
export function AgentReviews() {
  const { review } = useReview();
  if (review.agentReviews.length === 0) return null;
  return (
    <section aria-label="Agent reviews" className="stack" data-fill>
      <h2 className="mini-head">Agent reviews</h2>
      {review.agentReviews.map((one, index) => (
        <AgentReviewCard key={one.reviewId} review={one} open={index === 0} />
      ))}
    </section>
  );
}

function AgentReviewCard({ review, open }: { readonly review: AgentReview; readonly open: boolean }) {
  const passed = review.outcome === 'passed';
  return (
    <details className="agent-review" open={open}>
      <summary>
        <Chip tone={passed ? 'good' : 'bad'} glyph={passed ? 'done' : 'failed'}>
          {passed ? 'Passed' : 'Failed'}
        </Chip>{' '}
        Version {review.version}
        {review.cardNumber !== null && <>, card #{review.cardNumber}</>},{' '}
        {plural(review.findings.length, 'finding')}
        <span className="faint">
          {' '}
          <RelativeTime at={review.submittedAt} />
        </span>
      </summary>
      {!review.current && (
        <p className="faint small">A newer version was there already when it was written.</p>
      )}
      {review.summary && <p dir="auto">{review.summary}</p>}
      {review.findings.length > 0 && (
        <ol>
          {review.findings.map((finding) => (
            <Finding key={finding.findingId} finding={finding} answered={review.answeredAt !== null} />
          ))}
        </ol>
      )}
      {review.findings.length > 0 && (
        <p className="faint small">
          {review.answeredAt ? (
            <>
              Answered <RelativeTime at={review.answeredAt} />
            </>
          ) : (
            'Not answered yet'
          )}
        </p>
      )}
    </details>
  );
}

const ANSWER = {
  fixed: { word: 'Fixed', tone: 'good', glyph: 'done' },
  'not-changed': { word: 'Not changed', tone: 'neutral', glyph: 'not-started' },
  'to-owner': { word: 'Left to the owner', tone: 'warn', glyph: 'needs-you' },
} as const;

function Finding({ finding, answered }: { readonly finding: AgentFinding; readonly answered: boolean }) {
  const answer = finding.answer ? ANSWER[finding.answer] : null;
  return (
    <li>
      <b dir="auto">{finding.title}</b>
      {finding.needsPerson && (
        <>
          {' '}
          <Chip tone="warn" glyph="needs-you">
            Needs a person
          </Chip>
        </>
      )}
      <RenderedHtml className="comment__text" html={finding.bodyHtml} />
      {finding.section && <SectionLine name={finding.section} />}
      {answered && answer && (
        <p className="agent-review__answer">
          <Chip tone={answer.tone} glyph={answer.glyph} variant="plain">
            {answer.word}
          </Chip>
          {finding.reason && <span dir="auto">{finding.reason}</span>}
        </p>
      )}
    </li>
  );
}

/** The section as the reviewer named it, by heading or by its id; a link where the text still has it. */
function SectionLine({ name }: { readonly name: string }) {
  const { review } = useReview();
  const heading = review.outline.find(({ id, text }) => id === name || text === name);
  return (
    <p className="faint small">
      Section: {heading ? <a href={`#${heading.id}`}>{heading.text}</a> : <span dir="auto">{name}</span>}
    </p>
  );
}
