import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FileText, Plug } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../api/client';
import { useLive } from '../../api/live';
import type { Machine } from '../../api/types';
import { useCurrentProject } from '../../app/current-project';
import { usePage } from '../../app/page-frame';
import { mayContribute } from '../../app/session';
import { ButtonLink } from '../../components/button';
import { Chip, DocumentStatusChip } from '../../components/chip';
import { EmptyState } from '../../components/empty-state';
import { Glyph } from '../../components/icon';
import { LoadProblem, PageHead } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import type { DocumentPage, DocumentRow } from '../../documents/shapes';
import { useMachines } from './arrival';

const SHOWN = 6;

/** The first page of a project: what waits, what changed, and whether an agent is connected. */
export default function WorkshopPage() {
  const project = useCurrentProject();
  usePage('Workshop', [{ label: project.name, to: `/projects/${project.id}` }]);
  const queries = useQueryClient();
  const base = `/projects/${project.id}`;

  const documents = (status?: string) => ({
    queryKey: ['documents', project.id, 'workshop', status ?? 'all'],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      api.get<DocumentPage>(`${base}/documents`, { signal, query: { status } }),
  });
  const waiting = useQuery(documents('in-review'));
  const recent = useQuery(documents());
  const machines = useMachines(project.id);

  // What waits stands above already.
  const rest = recent.data?.documents.filter((each) => each.status !== 'in-review') ?? [];
  const nothingYet = recent.data?.total === 0;

  useLive([`project:${project.id}:documents`], () => {
    void queries.invalidateQueries({ queryKey: ['documents', project.id] });
  });

  return (
    <>
      <PageHead
        title={<span dir="auto">{project.name}</span>}
        sub={
          project.description ? (
            <span className="keep-lines" dir="auto">
              {project.description}
            </span>
          ) : undefined
        }
        actions={
          mayContribute(project.role) && (
            <ButtonLink to={`${base}/documents/new`} icon={FileText}>
              New document
            </ButtonLink>
          )
        }
      />
      <div className="page-body">
        <section aria-labelledby="waits">
          <div className="section-head">
            <h2 id="waits">Waits for you</h2>
            {(waiting.data?.total ?? 0) > SHOWN && (
              <Link className="small" to={`${base}/documents?status=in-review`}>
                All {waiting.data?.total}
              </Link>
            )}
          </div>
          <Rows
            query={waiting}
            rows={waiting.data?.documents}
            base={base}
            label="Documents that need review"
            empty={
              <EmptyState icon={FileText} title="Nothing waits for you" level={3}>
                Documents that need your review show here as soon as an agent or a colleague sends one.
              </EmptyState>
            }
          />
        </section>
        {(!recent.data || nothingYet || rest.length > 0) && (
          <section aria-labelledby="recent">
            <div className="section-head">
              <h2 id="recent">Recently changed</h2>
              {(recent.data?.total ?? 0) > 0 && (
                <Link className="small" to={`${base}/documents`}>
                  All documents
                </Link>
              )}
            </div>
            <Rows
              query={recent}
              rows={recent.data && rest}
              base={base}
              label="Recently changed documents"
              empty={
                <EmptyState
                  icon={FileText}
                  title="No document yet"
                  level={3}
                  actions={
                    <>
                      <ButtonLink to={`${base}/connect`} variant="primary">
                        Connect an agent
                      </ButtonLink>
                      {mayContribute(project.role) && (
                        <ButtonLink to={`${base}/documents/new`}>New document</ButtonLink>
                      )}
                    </>
                  }
                >
                  Ask a connected agent to write a plan with Loupe, or write one yourself. It shows here at
                  once.
                </EmptyState>
              }
            />
          </section>
        )}
        <section aria-labelledby="connection">
          <div className="section-head">
            <h2 id="connection">Connection</h2>
            <Link className="small" to={`${base}/connect`}>
              Connect
            </Link>
          </div>
          <ConnectionState machines={machines.data} error={machines.error} base={base} />
        </section>
      </div>
    </>
  );
}

interface RowsProps {
  readonly query: { error: unknown; refetch: () => unknown };
  readonly rows: readonly DocumentRow[] | undefined;
  readonly base: string;
  readonly label: string;
  readonly empty: ReactNode;
}

function Rows({ query, rows, base, label, empty }: RowsProps) {
  const { error, refetch } = query;
  if (!rows) return error ? <LoadProblem error={error} onRetry={() => void refetch()} /> : <Skeleton />;
  if (rows.length === 0) return <div className="panel">{empty}</div>;
  return (
    <div className="panel">
      <ul className="rows" aria-label={label}>
        {rows.slice(0, SHOWN).map((each) => (
          <Row key={each.id} row={each} base={base} />
        ))}
      </ul>
    </div>
  );
}

function Row({ row, base }: { readonly row: DocumentRow; readonly base: string }) {
  return (
    <li className="rows__item stretch">
      <span className="rows__text">
        <Link className="row-title truncate" dir="auto" to={`${base}/documents/${row.id}/review`}>
          {row.title}
        </Link>
        {row.versionDescription && (
          <span className="small muted truncate" dir="auto">
            {row.versionDescription}
          </span>
        )}
      </span>
      {row.waitingThreads > 0 && (
        <Chip variant="plain" tone="warn" glyph="addressed" strong>
          {row.waitingThreads === 1 ? '1 thread waits' : `${row.waitingThreads} threads wait`}
        </Chip>
      )}
      <DocumentStatusChip status={row.status} variant="plain" />
      <RelativeTime at={row.updatedAt} className="muted nowrap rows__time" />
    </li>
  );
}

interface ConnectionStateProps {
  readonly machines: readonly Machine[] | undefined;
  readonly error: unknown;
  readonly base: string;
}

function ConnectionState({ machines, error, base }: ConnectionStateProps) {
  if (!machines) {
    return error ? (
      <p className="muted">The state of your machines is unknown right now.</p>
    ) : (
      <Skeleton lines={1} />
    );
  }
  const used = machines
    .filter((each) => each.usedThisProjectAt !== null)
    .sort((a, b) => (b.usedThisProjectAt ?? '').localeCompare(a.usedThisProjectAt ?? ''))[0];
  if (used?.usedThisProjectAt) {
    return (
      <p className="row" data-nowrap="">
        <Glyph name="done" tone="good" />
        <span>
          {used.label ?? used.clientName} last worked in this project{' '}
          <RelativeTime at={used.usedThisProjectAt} />.
        </span>
      </p>
    );
  }
  if (machines.length > 0) {
    return (
      <p className="row" data-nowrap="">
        <Glyph name="waiting" tone="accent" />
        <span>
          {machines.length === 1 ? '1 machine is' : `${machines.length} machines are`} signed in. No agent has
          called a tool in this project yet.
        </span>
      </p>
    );
  }
  return (
    <div className="panel">
      <EmptyState
        icon={Plug}
        title="No agent is connected"
        level={3}
        actions={<ButtonLink to={`${base}/connect`}>Connect an agent</ButtonLink>}
      >
        One command in your repository connects it. It takes about three minutes.
      </EmptyState>
    </div>
  );
}
