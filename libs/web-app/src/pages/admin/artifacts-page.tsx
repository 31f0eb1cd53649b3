import { useQuery, useQueryClient } from '@tanstack/react-query';
import { AppWindow } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/client';
import { usePage } from '../../app/page-frame';
import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { EmptyState } from '../../components/empty-state';
import { Field } from '../../components/field';
import { size } from '../../components/format-size';
import { LoadProblem, PageHead } from '../../components/page';
import { plural } from '../../components/plural';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { ACTIONS, Table } from '../../components/table';
import { toast } from '../../components/toast';
import { useSubmit } from '../../components/use-submit';

interface Published {
  readonly artifactId: string;
  readonly projectId: string;
  readonly name: string;
  readonly subdomain: string;
  readonly liveUrl: string;
  readonly version: number;
  readonly publishedAt: string;
  readonly takenDown: string | null;
}

interface Answer {
  readonly totals: {
    readonly artifacts: number;
    readonly versions: number;
    readonly files: number;
    readonly blobs: number;
    readonly bytes: number;
  };
  readonly projects: readonly {
    readonly projectId: string;
    readonly name: string;
    readonly artifacts: number;
    readonly bytes: number;
  }[];
  readonly largest: readonly {
    readonly artifactId: string;
    readonly projectId: string;
    readonly name: string;
    readonly totalBytes: number;
  }[];
  readonly published: readonly Published[];
  readonly failedJobs: readonly {
    readonly artifactId: string;
    readonly projectId: string;
    readonly name: string;
    readonly type: string;
    readonly error: string;
    readonly at: string;
  }[];
  readonly generators: readonly {
    readonly type: string;
    readonly available: readonly {
      readonly key: string;
      readonly available: boolean;
      readonly why: string | null;
    }[];
  }[];
  readonly orphanRefs: number | null;
  readonly git: { readonly version: string | null; readonly lastBundleAt: string | null };
}

const key = ['admin', 'artifacts'];

/** What artifacts of all projects weigh, what is published, and what did not work. */
export default function AdminArtifactsPage() {
  usePage('Artifacts', [{ label: 'Administration', to: '/admin' }]);
  const [ending, setEnding] = useState<Published | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.get<Answer>('/admin/artifacts', { signal }),
  });
  return (
    <>
      <PageHead
        title="Artifacts"
        sub={
          data &&
          `${plural(data.totals.artifacts, 'artifact')} in ${plural(data.totals.versions, 'version')}, ${size(data.totals.bytes)} in ${plural(data.totals.blobs, 'stored file')}.`
        }
      />
      <div className="page-body stack" data-fill="" data-gap="wide">
        {!data ? (
          error ? (
            <LoadProblem error={error} onRetry={() => void refetch()} />
          ) : (
            <Skeleton lines={8} />
          )
        ) : data.totals.artifacts === 0 ? (
          <EmptyState icon={AppWindow} title="No artifacts yet">
            What agents and people of any project store is counted here, once there is some.
          </EmptyState>
        ) : (
          <Body data={data} onUnpublish={setEnding} />
        )}
      </div>
      {ending && <UnpublishDialog app={ending} onClose={() => setEnding(null)} />}
    </>
  );
}

function Body({
  data,
  onUnpublish,
}: {
  readonly data: Answer;
  readonly onUnpublish: (app: Published) => void;
}) {
  return (
    <>
      <section aria-labelledby="published">
        <h2 id="published">Published apps</h2>
        {data.published.length === 0 ? (
          <p className="muted">No app is published.</p>
        ) : (
          <Table
            caption="Published apps"
            columns={['App', 'Address', { label: 'Version', end: true }, 'Published', ACTIONS]}
          >
            {data.published.map((app) => (
              <tr key={app.artifactId}>
                <th scope="row" dir="auto">
                  {app.name}
                </th>
                <td data-label="Address">
                  <a href={app.liveUrl} target="_blank" rel="noreferrer">
                    {app.subdomain}
                  </a>
                </td>
                <td className="end num" data-label="Version">
                  {app.version}
                </td>
                <td data-label="Published">
                  <RelativeTime at={app.publishedAt} />
                </td>
                <td className="end">
                  {app.takenDown === null ? (
                    <Button size="sm" onClick={() => onUnpublish(app)}>
                      Take down
                    </Button>
                  ) : (
                    <span className="muted">Taken down: {app.takenDown}</span>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </section>
      <section aria-labelledby="projects">
        <h2 id="projects">By project</h2>
        <Table
          caption="Artifacts by project"
          columns={['Project', { label: 'Artifacts', end: true }, { label: 'Size', end: true }]}
          narrow
        >
          {data.projects.map((project) => (
            <tr key={project.projectId}>
              <th scope="row" dir="auto">
                {project.name}
              </th>
              <td className="end num">{project.artifacts}</td>
              <td className="end num">{size(project.bytes)}</td>
            </tr>
          ))}
        </Table>
      </section>
      <section aria-labelledby="largest">
        <h2 id="largest">Largest artifacts</h2>
        <Table caption="Largest artifacts" columns={['Artifact', { label: 'Size', end: true }]} narrow>
          {data.largest.map((one) => (
            <tr key={one.artifactId}>
              <th scope="row" dir="auto">
                {one.name}
              </th>
              <td className="end num">{size(one.totalBytes)}</td>
            </tr>
          ))}
        </Table>
      </section>
      <section aria-labelledby="generators">
        <h2 id="generators">Generators</h2>
        <ul className="stack" data-gap="tight">
          {data.generators.flatMap(({ type, available }) =>
            available.map((one) => (
              <li key={`${type} ${one.key}`}>
                <code>{type}</code> {one.key}:{' '}
                {one.available ? 'ready' : <span className="muted">{one.why ?? 'not available'}</span>}
              </li>
            )),
          )}
        </ul>
      </section>
      {data.failedJobs.length > 0 && (
        <section aria-labelledby="failed">
          <h2 id="failed">Failed generations</h2>
          <Table caption="Failed generations" columns={['Artifact', 'Error', 'When']}>
            {data.failedJobs.map((job) => (
              <tr key={`${job.artifactId} ${job.at}`}>
                <th scope="row" dir="auto">
                  {job.name} <code className="muted">{job.type}</code>
                </th>
                <td data-label="Error">{job.error}</td>
                <td data-label="When">
                  <RelativeTime at={job.at} />
                </td>
              </tr>
            ))}
          </Table>
        </section>
      )}
      <p className="small muted">
        {data.git.version
          ? `git ${data.git.version}`
          : 'git is not installed: apps and Markdown cannot be stored.'}
        {data.git.lastBundleAt && (
          <>
            , last bundle <RelativeTime at={data.git.lastBundleAt} />
          </>
        )}
        {data.orphanRefs !== null &&
          data.orphanRefs > 0 &&
          `, ${plural(data.orphanRefs, 'orphan commit')} kept`}
      </p>
    </>
  );
}

function UnpublishDialog({ app, onClose }: { readonly app: Published; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const submit = useSubmit(
    (requestId) =>
      api.post(`/admin/artifacts/${app.artifactId}/unpublish`, { reason: reason.trim() }, { requestId }),
    () => {
      toast({ title: `${app.name} is taken down.`, text: 'Its page names the reason to the project.' });
      void queries.invalidateQueries({ queryKey: key });
      onClose();
    },
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Take ${app.name} down?`}
      onSubmit={() => void submit.run()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="danger-solid"
            busy={submit.busy}
            disabledReason={reason.trim() === '' ? 'Say why first.' : null}
          >
            Take app down
          </Button>
        </>
      }
    >
      <div className="stack" data-fill="">
        <p>Its live address answers “not found” at once.</p>
        <Field label="Reason, shown to the project" error={submit.fields.reason ?? submit.problem}>
          {(control) => (
            <textarea
              {...control}
              className="textarea"
              rows={3}
              maxLength={500}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
      </div>
    </Dialog>
  );
}
