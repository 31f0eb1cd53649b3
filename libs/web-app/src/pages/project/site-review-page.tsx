import { useQueryClient } from '@tanstack/react-query';
import { CircleX, Globe, Plus, Trash2 } from 'lucide-react';
import { type ClipboardEvent, useRef, useState } from 'react';
import { api } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import type { Project } from '../../api/types';
import { useCurrentProject } from '../../app/current-project';
import { usePage } from '../../app/page-frame';
import { mayAdminister, projectQuery } from '../../app/session';
import { announce } from '../../components/announcer';
import { Banner, ProblemBanner } from '../../components/banner';
import { Button, IconButton } from '../../components/button';
import { EmptyState } from '../../components/empty-state';
import { Icon } from '../../components/icon';
import { LeaveGuard } from '../../components/leave-guard';
import { PageHead } from '../../components/page';
import { SubmitForm } from '../../components/submit-form';
import { toast } from '../../components/toast';
import { useSubmit } from '../../components/use-submit';
import { NotFoundPage } from '../not-found-page';
import { entriesOf, problemsByEntry } from './origin-list';
import { SettingsTabs } from './settings-tabs';

const MOST = 50;

interface Entry {
  readonly key: number;
  readonly value: string;
}

let nextKey = 1;
const entry = (value: string): Entry => {
  nextKey += 1;
  return { key: nextKey, value };
};

/** The addresses on which the feedback widget may run. */
export default function SiteReviewPage() {
  const project = useCurrentProject();
  if (!mayAdminister(project.role)) return <NotFoundPage />;
  return <Origins project={project} />;
}

function Origins({ project }: { readonly project: Project }) {
  usePage('Site review', [
    { label: project.name, to: `/projects/${project.id}` },
    { label: 'Project settings', to: `/projects/${project.id}/settings` },
  ]);
  const queries = useQueryClient();
  const [base, setBase] = useState(project);
  const [entries, setEntries] = useState(() => project.allowedOrigins.map(entry));
  const list = useRef<HTMLOListElement>(null);
  const origins = entries.map((each) => each.value.trim()).filter(Boolean);
  const clean = origins.join('\n') === base.allowedOrigins.join('\n') && entries.length === origins.length;
  const load = (from: Project) => {
    setBase(from);
    setEntries(from.allowedOrigins.map(entry));
  };
  const newer = project.version > base.version ? project : null;
  if (newer && clean) load(newer);

  const submit = useSubmit(
    (id) =>
      api.put<{ origins: string[]; changed: boolean; version: number }>(
        `/projects/${project.id}/origins`,
        { origins: entries.map((each) => each.value), version: base.version },
        { requestId: id },
      ),
    (saved) => {
      const next: Project = { ...project, allowedOrigins: saved.origins, version: saved.version };
      queries.setQueryData(projectQuery(project.id).queryKey, next);
      load(next);
      toast({ title: saved.changed ? 'The origins are saved.' : 'The list was the same. Nothing changed.' });
    },
  );
  const problems = problemsByEntry(submit.fields);
  const stale = submit.error instanceof ApiProblem && submit.error.isStale;

  const focusEntry = (at: number) =>
    requestAnimationFrame(() => list.current?.querySelectorAll('input')[at]?.focus());

  const add = () => {
    setEntries([...entries, entry('')]);
    focusEntry(entries.length);
  };

  const remove = (at: number) => {
    submit.clear();
    announce(`${entries[at]?.value || 'Empty line'} is removed. Save to make it so.`);
    setEntries(entries.filter((_, index) => index !== at));
    focusEntry(Math.max(0, at - 1));
  };

  const paste = (at: number) => (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = entriesOf(event.clipboardData.getData('text'));
    if (pasted.length < 2) return;
    event.preventDefault();
    setEntries([
      ...entries.slice(0, at).filter((each) => each.value !== ''),
      ...pasted.map(entry),
      ...entries.slice(at + 1),
    ]);
  };

  return (
    <>
      <PageHead title="Project settings" />
      <SettingsTabs projectId={project.id} />
      <div className="page-body page-body--tabbed" data-width="form">
        <section aria-labelledby="origins">
          <h2 id="origins">Allowed origins</h2>
          <p className="muted">
            The feedback widget signs people in only from these addresses. An origin is a scheme, a host and
            maybe a port, such as <code>https://staging.example.com</code>. <code>https://*.example.com</code>{' '}
            covers one label. Plain http works for localhost only.
          </p>
          <SubmitForm submit={submit} className="stack" data-fill="">
            {(stale || newer) && (
              <Banner
                tone="warn"
                alert
                actions={
                  <Button
                    size="sm"
                    onClick={async () => {
                      submit.clear();
                      load(await queries.fetchQuery({ ...projectQuery(project.id), staleTime: 0 }));
                    }}
                  >
                    Load the saved list
                  </Button>
                }
              >
                <b>Changed meanwhile.</b> Somebody saved another list. Yours is not stored; copy from it what
                you need, then load.
              </Banner>
            )}
            <ProblemBanner problem={stale ? null : submit.problem} />
            {submit.fields.origins && (
              <Banner tone="bad" alert>
                {submit.fields.origins}
              </Banner>
            )}
            {entries.length === 0 ? (
              <div className="panel">
                <EmptyState
                  icon={Globe}
                  title="No origin yet"
                  level={3}
                  actions={
                    <Button icon={Plus} onClick={add}>
                      Add origin
                    </Button>
                  }
                >
                  Until there is one, the widget runs nowhere.
                </EmptyState>
              </div>
            ) : (
              <ol className="origins" ref={list}>
                {entries.map((each, at) => {
                  const problem = problems.get(at);
                  return (
                    <li key={each.key}>
                      <div className="row" data-nowrap="">
                        <input
                          className="input mono"
                          type="text"
                          inputMode="url"
                          autoComplete="off"
                          spellCheck={false}
                          placeholder="https://staging.example.com"
                          aria-label={`Origin ${at + 1}`}
                          aria-invalid={problem ? true : undefined}
                          aria-describedby={problem ? `origin-${each.key}-error` : undefined}
                          value={each.value}
                          onPaste={paste(at)}
                          onChange={(event) =>
                            setEntries(
                              entries.map((other) =>
                                other.key === each.key ? { ...other, value: event.target.value } : other,
                              ),
                            )
                          }
                        />
                        <IconButton
                          label={`Remove ${each.value || `origin ${at + 1}`}`}
                          icon={Trash2}
                          onClick={() => remove(at)}
                        />
                      </div>
                      {problem && (
                        <span className="error" id={`origin-${each.key}-error`}>
                          <Icon icon={CircleX} size="sm" />
                          {problem}
                        </span>
                      )}
                    </li>
                  );
                })}
              </ol>
            )}
            <div className="row">
              <Button
                type="submit"
                variant="primary"
                busy={submit.busy}
                disabledReason={clean ? 'Nothing is changed.' : null}
              >
                Save origins
              </Button>
              {entries.length > 0 && (
                <Button
                  icon={Plus}
                  onClick={add}
                  disabledReason={entries.length >= MOST ? `A project has at most ${MOST} origins.` : null}
                >
                  Add origin
                </Button>
              )}
            </div>
          </SubmitForm>
        </section>
      </div>
      <LeaveGuard dirty={!clean && !submit.busy} />
    </>
  );
}
