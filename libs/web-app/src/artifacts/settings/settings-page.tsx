import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { sentenceOf } from '../../api/problem';
import { useCurrentProject } from '../../app/current-project';
import { usePage } from '../../app/page-frame';
import { mayAdminister } from '../../app/session';
import { ProblemBanner } from '../../components/banner';
import { Button } from '../../components/button';
import { Field } from '../../components/field';
import { size } from '../../components/format-size';
import { LeaveGuard } from '../../components/leave-guard';
import { LoadProblem, PageHead } from '../../components/page';
import { plural } from '../../components/plural';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { SubmitForm } from '../../components/submit-form';
import { toast } from '../../components/toast';
import { useSubmit } from '../../components/use-submit';
import { NotFoundPage } from '../../pages/not-found-page';
import { artifactKeys, artifactPaths, artifactsApi } from '../api';
import { WorkspaceList } from '../library/workspaces-dialog';
import { LibraryTabs } from '../library-tabs';

/** Workspaces, hosts that previews may load from, storage, and what was deleted lately. */
export function ArtifactSettingsPage() {
  const project = useCurrentProject();
  if (!mayAdminister(project.role)) return <NotFoundPage />;
  return <Settings />;
}

function Settings() {
  const project = useCurrentProject();
  const api = useMemo(() => artifactsApi(project.id), [project.id]);
  usePage('Artifact settings', [
    { label: project.name, to: `/projects/${project.id}` },
    { label: 'Artifacts', to: artifactPaths(project.id).list },
  ]);
  const workspaces = useQuery({
    queryKey: artifactKeys.workspaces(project.id),
    queryFn: ({ signal }) => api.workspaces(signal),
  });
  const usage = useQuery({
    queryKey: artifactKeys.usage(project.id),
    queryFn: ({ signal }) => api.usage(signal),
  });
  const hosts = useQuery({
    queryKey: [...artifactKeys.root(project.id), 'hosts'],
    queryFn: ({ signal }) => api.previewHosts(signal),
  });
  return (
    <>
      <PageHead title="Artifacts" />
      <LibraryTabs projectId={project.id} />
      <div className="page-body page-body--tabbed stack" data-width="form" data-fill="" data-gap="wide">
        <section className="stack" data-fill="" aria-labelledby="storage">
          <h2 id="storage">Storage</h2>
          {usage.error ? (
            <LoadProblem error={usage.error} onRetry={() => void usage.refetch()} />
          ) : !usage.data ? (
            <Skeleton lines={2} />
          ) : (
            <>
              <p className="num">
                {size(usage.data.bytes)} of {size(usage.data.maxBytes)}, {usage.data.artifacts} of{' '}
                {plural(usage.data.maxArtifacts, 'artifact')}
              </p>
              <progress
                className="progress"
                value={usage.data.bytes}
                max={usage.data.maxBytes}
                aria-label="Storage used"
              />
              {usage.data.largest.length > 0 && (
                <details>
                  <summary className="small">The largest</summary>
                  <ul>
                    {usage.data.largest.map((one) => (
                      <li className="row" key={one.artifactId}>
                        <Link
                          className="grow truncate"
                          dir="auto"
                          to={artifactPaths(project.id, one.artifactId).one}
                        >
                          {one.name}
                        </Link>
                        <span className="num muted">{size(one.totalBytes)}</span>
                      </li>
                    ))}
                  </ul>
                </details>
              )}
            </>
          )}
        </section>
        <section className="stack" data-fill="" aria-labelledby="workspaces">
          <h2 id="workspaces">Workspaces</h2>
          {workspaces.error ? (
            <LoadProblem error={workspaces.error} onRetry={() => void workspaces.refetch()} />
          ) : !workspaces.data ? (
            <Skeleton lines={3} />
          ) : (
            <WorkspaceList projectId={project.id} workspaces={workspaces.data} />
          )}
        </section>
        <section className="stack" data-fill="" aria-labelledby="hosts">
          <h2 id="hosts">Hosts of previews</h2>
          {hosts.error ? (
            <LoadProblem error={hosts.error} onRetry={() => void hosts.refetch()} />
          ) : !hosts.data ? (
            <Skeleton lines={2} />
          ) : (
            <Hosts key={hosts.data.origins.join(' ')} origins={hosts.data.origins} />
          )}
        </section>
        <Deleted />
      </div>
    </>
  );
}

function Hosts({ origins }: { readonly origins: readonly string[] }) {
  const project = useCurrentProject();
  const queries = useQueryClient();
  const api = useMemo(() => artifactsApi(project.id), [project.id]);
  const [text, setText] = useState(origins.join('\n'));
  const wanted = text
    .split(/\s+/)
    .map((line) => line.trim())
    .filter(Boolean);
  const dirty = wanted.join(' ') !== origins.join(' ');
  const submit = useSubmit(
    () => api.setPreviewHosts(wanted),
    (saved) => {
      queries.setQueryData([...artifactKeys.root(project.id), 'hosts'], saved);
      toast({ title: 'The hosts are saved.', text: 'Previews that are open follow at their next load.' });
    },
  );
  const error = Object.entries(submit.fields).find(([name]) => name.startsWith('origins'))?.[1];
  return (
    <SubmitForm submit={submit} className="stack" data-fill="">
      <LeaveGuard dirty={dirty && !submit.busy} />
      <ProblemBanner problem={submit.problem} />
      <Field
        label="Origins, one a line"
        error={error}
        hint="Previews reach nothing outside by themselves. They may load from these origins, such as https://fonts.example.com; at most 20."
      >
        {(control) => (
          <textarea
            {...control}
            className="textarea"
            dir="ltr"
            rows={4}
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <div className="row">
        <Button type="submit" busy={submit.busy} disabledReason={dirty ? null : 'Nothing was changed.'}>
          Save hosts
        </Button>
      </div>
    </SubmitForm>
  );
}

function Deleted() {
  const project = useCurrentProject();
  const queries = useQueryClient();
  const api = useMemo(() => artifactsApi(project.id), [project.id]);
  const { data } = useQuery({
    queryKey: artifactKeys.deleted(project.id),
    queryFn: ({ signal }) => api.deleted(signal),
  });
  if (!data || data.length === 0) return null;
  const restore = async (id: string, name: string) => {
    try {
      await api.undelete(id);
      toast({ title: `${name} is back in the library.` });
    } catch (error) {
      toast({ tone: 'bad', title: `${name} was not brought back.`, text: sentenceOf(error) });
    }
    await queries.invalidateQueries({ queryKey: artifactKeys.root(project.id) });
  };
  return (
    <section className="stack" data-fill="" aria-labelledby="deleted">
      <h2 id="deleted">Deleted lately</h2>
      <ul className="stack" data-fill="" data-gap="tight">
        {data.map((one) => (
          <li className="row" key={one.artifactId}>
            <span className="grow truncate" dir="auto">
              {one.name}
            </span>
            <span className="small muted">
              gone for good <RelativeTime at={one.purgeAt} />
            </span>
            <Button size="sm" onClick={() => void restore(one.artifactId, one.name)}>
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
