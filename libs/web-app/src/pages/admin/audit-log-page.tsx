import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Download, ListTree } from 'lucide-react';
import { Fragment, useEffect, useState } from 'react';
import { addressOf } from '../../api/address';
import { api } from '../../api/client';
import type { AuditEvent } from '../../api/types';
import { usePage } from '../../app/page-frame';
import { useSession } from '../../app/session';
import { Avatar } from '../../components/avatar';
import { Button } from '../../components/button';
import { Chip } from '../../components/chip';
import { EmptyState } from '../../components/empty-state';
import { SearchInput, Select } from '../../components/field';
import { exactTime } from '../../components/format-time';
import { Icon } from '../../components/icon';
import { LoadProblem, PageHead } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { Table } from '../../components/table';
import { useFilterForm } from '../../components/use-filter-form';
import { AUDIT_FILTERS, auditQuery, CHANNELS, OUTCOMES } from './audit-filters';

interface Answer {
  readonly events: readonly AuditEvent[];
  readonly nextCursor: string | null;
  /** Everything younger has been looked through; null at the end of the log. */
  readonly searchedTo: string | null;
}

/** A rare filter may need many answers until there is something to show: so many rows end the search. */
const ENOUGH = 50;

/** Who did what, newest first. There is no count: the log may hold ten million rows. */
export default function AuditLogPage() {
  usePage('Audit log', [{ label: 'Administration', to: '/admin' }]);
  const { timezone } = useSession().person;
  const { form, apply, search, setSearch } = useFilterForm(AUDIT_FILTERS);
  const query = auditQuery(search, timezone);
  const filtered = AUDIT_FILTERS.some((name) => search.get(name));
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage, isPlaceholderData } =
    useInfiniteQuery({
      queryKey: ['admin', 'audit', query],
      initialPageParam: null as string | null,
      queryFn: ({ signal, pageParam }) =>
        api.get<Answer>('/admin/audit', { signal, query: { ...query, cursor: pageParam } }),
      getNextPageParam: (last) => last.nextCursor,
      placeholderData: keepPreviousData,
    });
  const events = data?.pages.flatMap((page) => page.events) ?? [];
  const searchedTo = data?.pages.at(-1)?.searchedTo ?? null;
  const searching = hasNextPage && events.length < ENOUGH && !isPlaceholderData && !error;
  useEffect(() => {
    if (searching && !isFetchingNextPage) void fetchNextPage();
  }, [searching, isFetchingNextPage, fetchNextPage]);

  const show = (name: string, value: string) => {
    const next = new URLSearchParams(search);
    next.set(name, value);
    setSearch(next);
  };

  return (
    <>
      <PageHead
        title="Audit log"
        sub="Every change, and what was refused. It holds no text of people and no secrets."
        actions={
          <a
            className="btn"
            href={addressOf('/admin/audit.csv', query)}
            download
            title="At most 100,000 rows of this list"
          >
            <Icon icon={Download} />
            CSV
          </a>
        }
      />
      <form ref={form} className="filters audit-filters" aria-label="Filter the audit log" onSubmit={apply}>
        <SearchInput
          name="actor"
          aria-label="Actor begins with"
          placeholder="Actor"
          defaultValue={search.get('actor') ?? ''}
        />
        <SearchInput
          name="operation"
          aria-label="Operation begins with"
          placeholder="Operation, such as flag."
          defaultValue={search.get('operation') ?? ''}
        />
        <div className="filters__set">
          <Select
            name="channel"
            aria-label="Channel"
            defaultValue={search.get('channel') ?? ''}
            onChange={() => apply()}
          >
            <option value="">Any channel</option>
            {CHANNELS.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </Select>
          <Select
            name="outcome"
            aria-label="Outcome"
            defaultValue={search.get('outcome') ?? ''}
            onChange={() => apply()}
          >
            <option value="">Any outcome</option>
            {OUTCOMES.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </Select>
          <label className="row" data-nowrap="" data-gap="tight">
            <span className="small muted">From</span>
            <input className="input" type="date" name="from" defaultValue={search.get('from') ?? ''} />
          </label>
          <label className="row" data-nowrap="" data-gap="tight">
            <span className="small muted">to</span>
            <input className="input" type="date" name="to" defaultValue={search.get('to') ?? ''} />
          </label>
        </div>
        <SearchInput
          name="project"
          aria-label="Project id"
          placeholder="Project id"
          defaultValue={search.get('project') ?? ''}
        />
        <SearchInput
          name="subject"
          aria-label="Subject id"
          placeholder="Subject id"
          defaultValue={search.get('subject') ?? ''}
        />
        <Button type="submit">Filter</Button>
        {filtered && (
          <Button variant="ghost" onClick={() => setSearch({}, { replace: true })}>
            Clear filters
          </Button>
        )}
      </form>
      {!data && (
        <div className="page-body">
          {error ? <LoadProblem error={error} onRetry={() => void refetch()} /> : <Skeleton lines={10} />}
        </div>
      )}
      {data && events.length === 0 && searching && (
        <div className="page-body" aria-busy="true">
          <p className="muted" role="status">
            {searchedTo
              ? `Nothing found back to ${exactTime(new Date(searchedTo), timezone)} yet. Searching older records …`
              : 'Searching older records …'}
          </p>
          <Skeleton lines={10} />
        </div>
      )}
      {data && events.length === 0 && !searching && (
        <EmptyState
          icon={ListTree}
          title={filtered ? 'Nothing matches' : 'No record yet'}
          actions={filtered && <Button onClick={() => setSearch({})}>Clear filters</Button>}
        >
          {filtered
            ? 'No record has these values. Names and operations match from their beginning.'
            : 'Changes of flags, projects and people show here with who made them.'}
        </EmptyState>
      )}
      {events.length > 0 && (
        <>
          <Table
            caption="Audit records, newest first"
            columns={[
              'When',
              'Who',
              'Operation',
              'Outcome',
              { label: 'Channel', priority: '2' },
              { label: 'Subject', priority: '3' },
            ]}
            page
            compact
            busy={isPlaceholderData}
          >
            {events.map((event) => (
              <Row key={event.id} event={event} timezone={timezone} onShow={show} />
            ))}
          </Table>
          <div className="pager">
            {hasNextPage ? (
              <>
                <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                  Load older
                </Button>
                {searching && searchedTo && (
                  <span className="muted">Searched back to {exactTime(new Date(searchedTo), timezone)}</span>
                )}
              </>
            ) : (
              <span>This is the oldest record.</span>
            )}
          </div>
        </>
      )}
    </>
  );
}

const OUTCOME_CHIPS = {
  success: { tone: 'good', glyph: 'done' },
  refused: { tone: 'neutral', glyph: 'blocked' },
  failed: { tone: 'bad', glyph: 'failed' },
} as const;

interface RowProps {
  readonly event: AuditEvent;
  readonly timezone: string;
  readonly onShow: (name: string, value: string) => void;
}

function Row({ event, timezone, onShow }: RowProps) {
  const [open, setOpen] = useState(false);
  const { tone, glyph } = OUTCOME_CHIPS[event.outcome];
  const name = event.actorName ?? event.actorKind;
  return (
    <>
      <tr>
        <th scope="row" className="nowrap">
          <button
            type="button"
            className="row-toggle"
            aria-expanded={open}
            aria-label={`${event.operation}, ${exactTime(new Date(event.at), timezone)}: details`}
            onClick={() => setOpen(!open)}
          >
            <time dateTime={event.at}>{exactTime(new Date(event.at), timezone)}</time>
          </button>
        </th>
        <td>
          <span className="row" data-nowrap="" data-gap="tight">
            <Avatar
              name={name}
              size="sm"
              kind={
                event.actorKind === 'person' ? 'person' : event.actorKind === 'connection' ? 'agent' : 'loupe'
              }
            />
            <span dir="auto">{name}</span>
          </span>
        </td>
        <td>
          <code>{event.operation}</code>
        </td>
        <td>
          <Chip variant="plain" tone={tone} glyph={glyph}>
            {event.outcome}
          </Chip>
        </td>
        <td className="muted" data-priority="2" data-label="Channel">
          {event.channel}
        </td>
        <td
          className="muted"
          data-priority="3"
          data-label="Subject"
          data-none={event.subjectType ? undefined : ''}
        >
          {event.subjectType}
        </td>
      </tr>
      {open && (
        <tr className="sub-row">
          <td colSpan={6} data-span="">
            <dl className="facts">
              {facts(event).map(([label, value, filter]) => (
                <Fragment key={label}>
                  <dt>{label}</dt>
                  <dd>
                    <code>{value}</code>
                    {filter && (
                      <>
                        {' '}
                        <button
                          type="button"
                          className="link-btn small"
                          onClick={() => onShow(filter, value)}
                        >
                          Only this<span className="visually-hidden"> {label.toLowerCase()}</span>
                        </button>
                      </>
                    )}
                  </dd>
                </Fragment>
              ))}
            </dl>
            {event.context && Object.keys(event.context).length > 0 && (
              <div className="codeblock">
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard */}
                <pre tabIndex={0}>
                  <code>{JSON.stringify(event.context, null, 2)}</code>
                </pre>
              </div>
            )}
          </td>
        </tr>
      )}
    </>
  );
}

function facts(event: AuditEvent): readonly (readonly [string, string, string?])[] {
  const all: readonly (readonly [string, string | null, string?])[] = [
    ['Subject', event.subjectId, 'subject'],
    ['Project', event.projectId, 'project'],
    ['Actor', event.actorId],
    ['Connection', event.connectionId],
    ['Agent session', event.agentSessionId],
    ['Address', event.ip],
    ['Record', event.id],
  ];
  return all.filter((each): each is readonly [string, string, string?] => each[1] !== null);
}
