import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChartColumn, SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useLive } from '../../api/live';
import { useCurrentProject } from '../../app/current-project';
import { usePage } from '../../app/page-frame';
import { Button, ButtonLink } from '../../components/button';
import { CodeBlock } from '../../components/code-block';
import { EmptyState } from '../../components/empty-state';
import { Select } from '../../components/field';
import { LoadProblem, PageHead } from '../../components/page';
import { Pager } from '../../components/pager';
import { plural } from '../../components/plural';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { WordsField } from '../../components/words-field';
import { artifactKeys, artifactPaths, artifactsApi } from '../api';
import { LibraryTabs } from '../library-tabs';
import type { ChartRow, ConversationRow } from '../shapes';
import { CHART_TYPES } from '../words';
import { ChartPicture } from './chart-picture';

/** Charts and tables that agents made while they talked, by conversation. */
export function ChartsPage() {
  const project = useCurrentProject();
  const queries = useQueryClient();
  const api = useMemo(() => artifactsApi(project.id), [project.id]);
  const [search, setSearch] = useSearchParams();
  const page = Math.max(1, Number.parseInt(search.get('page') ?? '1', 10) || 1);
  const filters = {
    type: Object.hasOwn(CHART_TYPES, search.get('type') ?? '') ? (search.get('type') as string) : '',
    thread: search.get('conversation') ?? '',
    q: (search.get('q') ?? '').trim().slice(0, 200),
    page,
  };
  const narrowed = filters.type !== '' || filters.thread !== '' || filters.q !== '';
  usePage('Charts', [
    { label: project.name, to: `/projects/${project.id}` },
    { label: 'Artifacts', to: artifactPaths(project.id).list },
  ]);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: artifactKeys.charts(project.id, filters),
    queryFn: ({ signal }) => api.charts(filters, signal),
    placeholderData: (before) => before,
  });
  const conversations = useQuery({
    queryKey: artifactKeys.conversations(project.id),
    queryFn: ({ signal }) => api.conversations(signal),
  });
  useLive([`project:${project.id}:artifacts`], (message) => {
    if ('topic' in message && message.type !== 'typed') return;
    void queries.invalidateQueries({ queryKey: [...artifactKeys.root(project.id), 'charts'] });
    void queries.invalidateQueries({ queryKey: artifactKeys.conversations(project.id) });
  });
  const change = (part: Record<string, string>, replace = false) => {
    const next = new URLSearchParams(search);
    next.delete('page');
    for (const [name, value] of Object.entries(part)) {
      if (value === '') next.delete(name);
      else next.set(name, value);
    }
    setSearch(next, { replace });
  };

  return (
    <>
      <PageHead
        title="Artifacts"
        aside={data && <span className="page-sub num">{plural(data.total, 'chart')}</span>}
      />
      <LibraryTabs projectId={project.id} />
      <div className="charts">
        <search className="filters" aria-label="Charts">
          <WordsField
            label="Search charts"
            placeholder="Search by title"
            maxLength={200}
            value={filters.q}
            onChange={(q) => change({ q }, true)}
          />
          <div className="filters__set">
            <Select
              aria-label="Type"
              value={filters.type}
              onChange={(event) => change({ type: event.target.value })}
            >
              <option value="">Any type</option>
              {Object.entries(CHART_TYPES).map(([type, word]) => (
                <option key={type} value={type}>
                  {word}
                </option>
              ))}
            </Select>
            <Select
              aria-label="Conversation"
              value={filters.thread}
              onChange={(event) => change({ conversation: event.target.value })}
            >
              <option value="">Any conversation</option>
              {(conversations.data ?? []).map((one) => (
                <option key={one.id} value={one.id}>
                  {one.client ?? 'Agent'}, {new Date(one.startedAt).toLocaleDateString()} ({one.count})
                </option>
              ))}
            </Select>
          </div>
        </search>
        {error && !data ? (
          <LoadProblem error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Skeleton lines={8} />
        ) : data.charts.length === 0 ? (
          narrowed || page > 1 ? (
            <EmptyState
              icon={SearchX}
              title="Nothing matches"
              actions={
                <Button variant="primary" onClick={() => setSearch(new URLSearchParams())}>
                  Clear filters
                </Button>
              }
            >
              No chart has all of these.
            </EmptyState>
          ) : (
            <Empty projectId={project.id} />
          )
        ) : (
          <div aria-busy={isPlaceholderData || undefined}>
            {groups(data.charts).map(({ threadId, charts }) => (
              <Conversation
                key={`${threadId} ${charts[0]?.id}`}
                projectId={project.id}
                conversation={data.threads.find(({ id }) => id === threadId) ?? null}
                charts={charts}
              />
            ))}
            <Pager
              page={page}
              hasMore={data.hasMore}
              onPage={(to) => change({ page: String(to) })}
              shown={{ perPage: data.perPage, rows: data.charts.length, total: data.total }}
            />
          </div>
        )}
      </div>
    </>
  );
}

interface ConversationProps {
  readonly projectId: string;
  readonly conversation: ConversationRow | null;
  readonly charts: readonly ChartRow[];
}

function Conversation({ projectId, conversation, charts }: ConversationProps) {
  const first = charts[0];
  if (!first) return null;
  return (
    <section className="charts__group" aria-label={`Conversation of ${conversation?.client ?? 'an agent'}`}>
      <h2 className="mini-head">
        {conversation?.client ?? 'Agent'}
        <span className="muted">
          , began <RelativeTime at={conversation?.startedAt ?? first.createdAt} />
        </span>
      </h2>
      <ul className="arts">
        {charts.map((chart) => (
          <li className="art" key={chart.id}>
            <div className="art__frame art__frame--chart">
              <ChartPicture projectId={projectId} id={chart.id} size="card" alt="" />
            </div>
            <div className="art__body">
              <Link className="row-title" dir="auto" to={artifactPaths(projectId).chart(chart.id)}>
                {chart.title ?? CHART_TYPES[chart.type]}
              </Link>
              <div className="art__meta">
                <span className="num">#{chart.id}</span>
                <span>{CHART_TYPES[chart.type]}</span>
                <span className="num">turn {chart.turnIndex}</span>
                <RelativeTime at={chart.createdAt} />
              </div>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Empty({ projectId }: { readonly projectId: string }) {
  return (
    <>
      <EmptyState
        icon={ChartColumn}
        title="No charts yet"
        actions={
          <ButtonLink variant="primary" to={`/projects/${projectId}/connect`}>
            Connect an agent
          </ButtonLink>
        }
      >
        Numbers that an agent tells are easier to look at than to read. Charts and tables that it stores stand
        here, by conversation.
      </EmptyState>
      <div className="library__ways">
        <CodeBlock
          code="Count the commits of each week this year and store them in Loupe as a line chart with artifact_typed_create."
          what="prompt"
        />
      </div>
    </>
  );
}

/** Neighbours of one conversation, in the order they came. */
export function groups(charts: readonly ChartRow[]): { threadId: string; charts: ChartRow[] }[] {
  const found: { threadId: string; charts: ChartRow[] }[] = [];
  for (const chart of charts) {
    const last = found.find(({ threadId }) => threadId === chart.threadId);
    if (last) last.charts.push(chart);
    else found.push({ threadId: chart.threadId, charts: [chart] });
  }
  return found;
}
