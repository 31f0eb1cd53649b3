import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Layers, SearchX } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { api } from '../../api/client';
import { usePage } from '../../app/page-frame';
import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { EmptyState } from '../../components/empty-state';
import { Field, SearchInput } from '../../components/field';
import { size } from '../../components/format-size';
import { LoadProblem, PageHead } from '../../components/page';
import { Pager } from '../../components/pager';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { ACTIONS, Table } from '../../components/table';
import { toast } from '../../components/toast';
import { useSubmit } from '../../components/use-submit';

interface Line {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly ownerName: string;
  readonly members: number;
  readonly counts: {
    readonly openItems: number | null;
    readonly openCards: number | null;
    readonly documentsToReview: number | null;
  };
  /** Of files, such as those of artifacts. */
  readonly bytes: number;
  readonly createdAt: string;
  readonly lastActivityAt: string;
}

interface Answer {
  readonly projects: readonly Line[];
  readonly page: number;
  readonly perPage: number;
  readonly hasMore: boolean;
  readonly total: number;
}

/** All projects by name and size. An admin sees nothing of what they hold. */
export default function AdminProjectsPage() {
  usePage('Projects', [{ label: 'Administration', to: '/admin' }]);
  const [search, setSearch] = useSearchParams();
  const page = Math.max(1, Number.parseInt(search.get('page') ?? '1', 10) || 1);
  const q = (search.get('q') ?? '').trim();
  const [moving, setMoving] = useState<Line | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', 'projects', q, page],
    queryFn: ({ signal }) => api.get<Answer>('/admin/projects', { signal, query: { q, page } }),
    placeholderData: keepPreviousData,
  });
  const go = (next: { q?: string; page?: number }) => {
    const to = new URLSearchParams();
    const words = next.q ?? q;
    if (words) to.set('q', words);
    if ((next.page ?? 1) > 1) to.set('page', String(next.page));
    setSearch(to, { replace: next.q !== undefined });
  };
  return (
    <>
      <PageHead title="Projects" aside={data && <span className="page-sub num">{data.total}</span>} />
      <search className="filters" aria-label="Projects">
        <SearchInput
          aria-label="Search projects"
          placeholder="Search by name or slug"
          maxLength={200}
          defaultValue={q}
          onChange={(event) => go({ q: event.target.value.trim() })}
        />
      </search>
      {!data ? (
        <div className="page-body">
          {error ? <LoadProblem error={error} onRetry={() => void refetch()} /> : <Skeleton lines={8} />}
        </div>
      ) : data.projects.length === 0 ? (
        <EmptyState icon={q ? SearchX : Layers} title={q ? 'Nothing matches' : 'No projects yet'}>
          {q ? 'No project has these letters in its name or slug.' : 'Projects that people make stand here.'}
        </EmptyState>
      ) : (
        <>
          <Table
            caption="Projects, newest first"
            columns={[
              'Project',
              'Owner',
              { label: 'Members', end: true },
              { label: 'Open cards', end: true },
              { label: 'To review', end: true },
              { label: 'Files', end: true },
              'Last activity',
              ACTIONS,
            ]}
            page
          >
            {data.projects.map((project) => (
              <tr key={project.id}>
                <th scope="row">
                  <span dir="auto">{project.name}</span>
                  <code className="small muted block">{project.slug}</code>
                </th>
                <td data-label="Owner" dir="auto">
                  {project.ownerName}
                </td>
                <td className="end num" data-label="Members">
                  {project.members}
                </td>
                <td className="end num" data-label="Open cards">
                  {project.counts.openCards ?? '–'}
                </td>
                <td className="end num" data-label="To review">
                  {project.counts.documentsToReview ?? '–'}
                </td>
                <td className="end num" data-label="Files">
                  {size(project.bytes)}
                </td>
                <td data-label="Last activity">
                  <RelativeTime at={project.lastActivityAt} />
                </td>
                <td className="end">
                  <Button size="sm" onClick={() => setMoving(project)}>
                    Transfer
                  </Button>
                </td>
              </tr>
            ))}
          </Table>
          <Pager
            page={page}
            hasMore={data.hasMore}
            onPage={(to) => go({ page: to })}
            shown={{ perPage: data.perPage, rows: data.projects.length, total: data.total }}
          />
        </>
      )}
      {moving && <TransferDialog project={moving} onClose={() => setMoving(null)} />}
    </>
  );
}

function TransferDialog({ project, onClose }: { readonly project: Line; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const submit = useSubmit(
    (requestId) =>
      api.post(`/admin/projects/${project.id}/transfer`, { newOwnerEmail: email.trim() }, { requestId }),
    () => {
      toast({ title: `${project.name} has another owner.` });
      void queries.invalidateQueries({ queryKey: ['admin', 'projects'] });
      onClose();
    },
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Transfer ${project.name}?`}
      onSubmit={() => void submit.run()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            busy={submit.busy}
            disabledReason={email.trim() === '' ? 'Type the address of the new owner.' : null}
          >
            Transfer project
          </Button>
        </>
      }
    >
      <div className="stack" data-fill="">
        <p>For an owner who left. {project.ownerName} becomes maintainer; connections stay.</p>
        <Field label="Address of the new owner" error={submit.fields.newOwnerEmail ?? submit.problem}>
          {(control) => (
            <input
              {...control}
              className="input"
              type="email"
              autoComplete="off"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
      </div>
    </Dialog>
  );
}
