import { Glyph } from '../../components/icon';
import { motion } from '../surface/motion';
import { useReview } from './review-context';

/** Every question of the text with its answer, and the way there. */
export function DecisionsPanel() {
  const { review } = useReview();
  const { decisions } = review;
  if (decisions.length === 0) {
    return (
      <div className="side-note">
        <p>This version asks no decision.</p>
        <p className="hint">An author asks one with a decision block; its options then show in the text.</p>
      </div>
    );
  }
  const answered = decisions.filter(
    (decision) => decision.selections.length > 0 || decision.note !== null,
  ).length;
  return (
    <div className="side-body">
      <p className="row">
        <span>
          <b className="num">
            {answered} of {decisions.length}
          </b>{' '}
          answered
        </span>
        <progress className="progress" value={answered} max={decisions.length} aria-hidden="true" />
      </p>
      <ol className="decision-list">
        {decisions.map((decision) => {
          const done = decision.selections.length > 0 || decision.note !== null;
          return (
            <li key={decision.id}>
              <button type="button" className="decision-list__item" onClick={() => showDecision(decision.id)}>
                <Glyph name={done ? 'done' : 'needs-you'} tone={done ? 'good' : 'warn'} />
                <span>
                  <b dir="auto">{decision.question || decision.id}</b>
                  <small dir="auto">
                    {done
                      ? decision.selections.map(({ label }) => label).join(', ') || 'A note alone'
                      : 'Your answer is needed'}
                  </small>
                  {decision.note && <small dir="auto">Note: {decision.note}</small>}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

export function showDecision(id: string): void {
  const block = document.querySelector<HTMLElement>(`fieldset[data-decision-id="${CSS.escape(id)}"]`);
  if (!block) return;
  block.scrollIntoView({ block: 'center', behavior: motion() });
  block.querySelector<HTMLElement>('input:checked, input')?.focus({ preventScroll: true });
}
