import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ApiProblem } from '../api/problem';
import { useCurrentProject } from '../app/current-project';
import { usePage } from '../app/page-frame';
import { mayAdminister, useFlag } from '../app/session';
import { Chip } from '../components/chip';
import { LoadProblem, PageHead } from '../components/page';
import { Skeleton } from '../components/progress';
import { SwitchedOffPage } from '../pages/not-found-page';
import { SettingsTabs } from '../pages/project/settings-tabs';
import { useWorkflowNews, type Workflow, workflowQuery } from './api';
import { EngineNotice, NoWorkflow } from './engine-notice';
import { KindsTable } from './kinds-table';
import { RulesTable } from './rules-table';
import { SlotsTable } from './slots-table';
import { minutesText } from './words';
import './workflow.css';

/** `/projects/{id}/settings/workflow`: the template that the project follows, to read; slots can be linked. */
export default function WorkflowPage() {
  const project = useCurrentProject();
  const on = useFlag('board.enabled');
  const mayAdmin = mayAdminister(project.role);
  usePage('Workflow', [
    { label: project.name, to: `/projects/${project.id}` },
    { label: 'Project settings', to: `/projects/${project.id}/settings` },
  ]);
  if (!on) return <SwitchedOffPage />;
  return (
    <>
      <PageHead title={mayAdmin ? 'Project settings' : 'Workflow'} />
      {mayAdmin && <SettingsTabs projectId={project.id} />}
      <div className="page-body page-body--tabbed">
        <Loaded projectId={project.id} mayAdmin={mayAdmin} />
      </div>
    </>
  );
}

interface LoadedProps {
  readonly projectId: string;
  readonly mayAdmin: boolean;
}

function Loaded({ projectId, mayAdmin }: LoadedProps) {
  useWorkflowNews(projectId);
  const { data, error, refetch } = useQuery(workflowQuery(projectId));
  if (data) return <Shown projectId={projectId} workflow={data} mayAdmin={mayAdmin} />;
  if (error instanceof ApiProblem && error.code === 'no_workflow')
    return <NoWorkflow sentence={error.message} />;
  return error ? <LoadProblem error={error} onRetry={() => void refetch()} /> : <Skeleton lines={10} />;
}

function Shown({ projectId, workflow, mayAdmin }: LoadedProps & { readonly workflow: Workflow }) {
  const { template, enabled, budgets } = workflow;
  const own = workflow.rules.filter(({ origin }) => origin === 'template');
  const added = workflow.rules.filter(({ origin }) => origin === 'app');
  return (
    <div className="stack" data-fill="" data-gap="wide">
      <EngineNotice engine={workflow.engine} />
      <section className="stack" data-fill="" aria-labelledby="template">
        <div className="section-head">
          <h2 id="template">{template.label}</h2>
          <span className="muted">
            <code>{template.key}</code>, version {template.version}
          </span>
          <Chip tone={enabled ? 'good' : 'neutral'} glyph={enabled ? 'done' : undefined}>
            {enabled ? 'On' : 'Off'}
          </Chip>
        </div>
        <p className="muted">
          {template.description}{' '}
          {mayAdmin && <Link to={`/projects/${projectId}/settings/automation`}>Automation settings</Link>}
        </p>
      </section>
      {workflow.slots.length > 0 && (
        <SlotsTable projectId={projectId} workflow={workflow} mayAdmin={mayAdmin} />
      )}
      <Moves workflow={workflow} />
      <section className="stack" data-fill="" aria-labelledby="types">
        <h2 id="types">Card types</h2>
        <ul className="row" aria-labelledby="types">
          {workflow.types.map((type) => (
            <li key={type.key} className="row" data-gap="tight" data-nowrap="">
              <span className="dot" data-colour={type.colour} aria-hidden="true" />
              {type.label}
              <span className="muted small">
                {[
                  type.key === workflow.defaultType ? 'default' : '',
                  type.children ? 'groups cards' : '',
                  type.lane ? 'may be a lane' : '',
                ]
                  .filter(Boolean)
                  .join(', ')}
              </span>
            </li>
          ))}
        </ul>
      </section>
      <KindsTable kinds={workflow.kinds} />
      <RulesTable id="rules" title="Rules" rules={own} workflow={workflow} />
      <RulesTable id="added" title="Rules the app adds" rules={added} workflow={workflow} />
      <section className="stack" data-fill="" aria-labelledby="budgets">
        <h2 id="budgets">Budgets</h2>
        <p>
          A refused action is tried again after {minutesText(budgets.refusalBackoffMinutes)}. Work waits{' '}
          {minutesText([budgets.workTimeoutMinutes])} for a bridge.
          {budgets.workFailure && (
            <>
              {' '}
              Work that ends as {budgets.workFailure.retryOn.join(' or ')} is tried{' '}
              {budgets.workFailure.retries} more times after {minutesText(budgets.workFailure.backoffMinutes)}
              {budgets.workFailure.repairKind ? `, then ${budgets.workFailure.repairKind} is asked for` : ''}.
            </>
          )}
        </p>
      </section>
    </div>
  );
}

function Moves({ workflow: { manualMoves } }: { readonly workflow: Workflow }) {
  return (
    <section className="stack" data-fill="" aria-labelledby="moves">
      <h2 id="moves">Moves by hand</h2>
      {manualMoves === 'any' ? (
        <p className="muted">Every move is allowed to anyone.</p>
      ) : (
        <div className="panel table-host">
          <table className="table" data-inset="" data-density="compact">
            <thead>
              <tr>
                <th scope="col">From</th>
                <th scope="col">To</th>
                <th scope="col">Who</th>
              </tr>
            </thead>
            <tbody>
              {movesBySource(manualMoves).map(({ from, to, who }) => (
                <tr key={`${from} ${who}`}>
                  <th scope="row">{from}</th>
                  <td>{to}</td>
                  <td>{who}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function movesBySource(moves: Exclude<Workflow['manualMoves'], 'any'>) {
  const rows = new Map<string, { from: string; to: string; who: string }>();
  for (const { from, to, by } of moves) {
    const who = by === 'parent-run' ? 'The running worker of the parent card' : 'Anyone';
    const row = rows.get(`${from.place} ${who}`);
    rows.set(`${from.place} ${who}`, {
      from: from.label,
      to: row ? `${row.to}, ${to.label}` : to.label,
      who,
    });
  }
  return [...rows.values()];
}
