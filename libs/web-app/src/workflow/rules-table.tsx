import { Chip } from '../components/chip';
import type { Rule, Workflow } from './api';
import { actionText, factsBySource, factText } from './words';

export interface RulesTableProps {
  readonly id: string;
  readonly title: string;
  readonly rules: readonly Rule[];
  readonly workflow: Workflow;
}

/** Rules in their order: where they look, what they read by source, what they do. */
export function RulesTable({ id, title, rules, workflow }: RulesTableProps) {
  const placeLabel = (place: string) => {
    if (place === '@backlog') return 'Backlog';
    if (place === '@terminal') return 'Finished';
    return workflow.slots.find(({ key }) => key === place)?.label ?? place;
  };
  return (
    <section className="stack" data-fill="" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div className="panel table-host">
        <table className="table" data-inset="" data-narrow="stack">
          <thead>
            <tr>
              <th scope="col">Rule</th>
              <th scope="col">Places</th>
              <th scope="col">Reads</th>
              <th scope="col">Does</th>
            </tr>
          </thead>
          <tbody>
            {rules.map((rule) => (
              <tr key={rule.id}>
                <th scope="row">
                  <code>{rule.id}</code>
                </th>
                <td data-label="Places">{rule.places?.map(({ label }) => label).join(', ') ?? 'Any'}</td>
                <td data-label="Reads">
                  <Facts rule={rule} />
                </td>
                <td data-label="Does">
                  {rule.actions.map((action) => (
                    <div key={JSON.stringify(action)}>{actionText(action, placeLabel)}</div>
                  ))}
                  {rule.whilePaused && <div className="muted small">Also while paused</div>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Facts({ rule }: { readonly rule: Rule }) {
  if (rule.facts.length === 0) return <span className="muted">Nothing: always</span>;
  return (
    <dl className="rule-facts">
      {factsBySource(rule.facts).map(({ source, facts }) => (
        <div key={source}>
          <dt>{source}</dt>
          {facts.map((fact, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a rule may read a fact twice, and the list never changes
            <dd key={index}>
              {fact.known ? (
                <code>{factText(fact)}</code>
              ) : (
                <Chip tone="warn" glyph="stuck">
                  {factText(fact)} is unknown to this release
                </Chip>
              )}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}
