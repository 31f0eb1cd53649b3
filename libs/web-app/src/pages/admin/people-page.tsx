import { useQuery, useQueryClient } from '@tanstack/react-query';
import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ListedPerson, OneTimeLink } from '../../api/types';
import { usePage } from '../../app/page-frame';
import { Avatar } from '../../components/avatar';
import { Button } from '../../components/button';
import { Chip } from '../../components/chip';
import { EmptyState } from '../../components/empty-state';
import { SearchInput, Select } from '../../components/field';
import { LoadProblem, PageHead } from '../../components/page';
import { Pager } from '../../components/pager';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { Table } from '../../components/table';
import { useFilterForm } from '../../components/use-filter-form';
import { LinkDialog } from './link-dialog';
import { NewPersonDialog } from './new-person-dialog';
import { peopleFilters, peopleQuery, STATE_CHIPS, STATES } from './people-data';

interface Issued {
  readonly kind: 'create' | 'invite';
  readonly email: string;
  readonly link: OneTimeLink;
}

const FIELDS = ['q', 'state'];

/** Everybody with an account, newest first. */
export default function PeoplePage() {
  usePage('People', [{ label: 'Administration', to: '/admin' }]);
  const queries = useQueryClient();
  const { form, apply, search, setSearch } = useFilterForm(FIELDS);
  const filters = peopleFilters(search);
  const { data, error, refetch, isPlaceholderData } = useQuery(peopleQuery(filters));
  const [making, setMaking] = useState<'create' | 'invite' | null>(null);
  const [issued, setIssued] = useState<Issued | null>(null);
  const filtered = filters.q !== '' || filters.state !== '';

  const toPage = (page: number) => {
    const next = new URLSearchParams(search);
    next.set('page', String(page));
    setSearch(next);
  };

  return (
    <>
      <PageHead
        title="People"
        aside={data && <span className="page-sub num">{data.total.toLocaleString('en-GB')}</span>}
        actions={
          <>
            <Button onClick={() => setMaking('invite')}>Invite</Button>
            <Button variant="primary" icon={UserPlus} onClick={() => setMaking('create')}>
              Create person
            </Button>
          </>
        }
      />
      <form ref={form} className="filters" aria-label="Filter people" onSubmit={apply}>
        <SearchInput
          name="q"
          aria-label="Part of a name or address"
          placeholder="Name or e-mail"
          defaultValue={filters.q}
        />
        <Select name="state" aria-label="State" defaultValue={filters.state} onChange={() => apply()}>
          <option value="">Everybody</option>
          {Object.entries(STATES).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </Select>
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
      {data && data.people.length === 0 && (
        <EmptyState
          icon={Users}
          title="Nobody matches"
          actions={<Button onClick={() => setSearch({})}>Show everybody</Button>}
        >
          No account has these words in its name or address, or is in this state.
        </EmptyState>
      )}
      {data && data.people.length > 0 && (
        <>
          <Table
            caption="People, newest first"
            columns={['Person', 'E-mail', 'State', 'Joined', 'Last sign-in']}
            page
            busy={isPlaceholderData}
          >
            {data.people.map((person) => (
              <Row key={person.id} person={person} />
            ))}
          </Table>
          <Pager
            page={data.page}
            hasMore={data.hasMore}
            onPage={toPage}
            shown={{ perPage: data.perPage, rows: data.people.length, total: data.total }}
          />
        </>
      )}
      {making && data && (
        <NewPersonDialog
          kind={making}
          mail={data.mail}
          onClose={() => setMaking(null)}
          onDone={(link, email) => {
            setIssued({ kind: making, link, email });
            setMaking(null);
            void queries.invalidateQueries({ queryKey: ['admin', 'people'] });
          }}
        />
      )}
      <LinkDialog
        title={issued?.kind === 'invite' ? 'The invitation is ready' : 'The account is ready'}
        text={
          issued?.kind === 'invite'
            ? `By this link ${issued.email} makes the account.`
            : `By this link ${issued?.email} chooses a password.`
        }
        link={issued?.link ?? null}
        onClose={() => setIssued(null)}
      />
    </>
  );
}

function Row({ person }: { readonly person: ListedPerson }) {
  const { tone, glyph, word } = STATE_CHIPS[person.state];
  return (
    <tr>
      <th scope="row">
        <span className="row" data-nowrap="" data-gap="tight">
          <Avatar name={person.displayName} size="sm" />
          <Link to={`/admin/people/${person.id}`} dir="auto">
            {person.displayName}
          </Link>
          {person.isAdmin && <Chip variant="outline">Administrator</Chip>}
        </span>
      </th>
      <td data-label="E-mail">{person.email}</td>
      <td>
        <Chip variant="plain" tone={tone} glyph={glyph}>
          {word}
        </Chip>
      </td>
      <td className="muted nowrap" data-label="Joined">
        <RelativeTime at={person.createdAt} />
      </td>
      <td className="muted nowrap" data-label="Last sign-in">
        {person.lastLoginAt ? <RelativeTime at={person.lastLoginAt} /> : 'never'}
      </td>
    </tr>
  );
}
