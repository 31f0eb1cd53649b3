import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import type { Project } from '../../api/types';
import { useCurrentProject } from '../../app/current-project';
import { usePage } from '../../app/page-frame';
import { mayAdminister, projectQuery } from '../../app/session';
import { Banner, ProblemBanner } from '../../components/banner';
import { Button } from '../../components/button';
import { ConfirmDialog } from '../../components/dialog';
import { Field } from '../../components/field';
import { LeaveGuard } from '../../components/leave-guard';
import { PageHead } from '../../components/page';
import { SubmitForm } from '../../components/submit-form';
import { toast } from '../../components/toast';
import { useSubmit } from '../../components/use-submit';
import { NotFoundPage } from '../not-found-page';
import { ProjectFields } from '../project-fields';
import { changedMeanwhile, rebase, sameValues } from './changed-meanwhile';
import { SettingsTabs } from './settings-tabs';
import { TransferSection } from './transfer-section';

type Draft = { name: string; description: string; domain: string; searchLanguage: string };

const LABELS: Record<string, string> = {
  name: 'Name',
  description: 'Description',
  domain: 'Domain',
  searchLanguage: 'Search language',
};

function draftOf(project: Project): Draft {
  return {
    name: project.name,
    description: project.description ?? '',
    domain: project.domain ?? '',
    searchLanguage: project.searchLanguage,
  };
}

export default function SettingsPage() {
  const project = useCurrentProject();
  if (!mayAdminister(project.role)) return <NotFoundPage />;
  return <Settings project={project} />;
}

function Settings({ project }: { readonly project: Project }) {
  usePage('Project settings', [{ label: project.name, to: `/projects/${project.id}` }]);
  const queries = useQueryClient();
  const [base, setBase] = useState(project);
  const [draft, setDraft] = useState(() => draftOf(project));
  const clean = sameValues(draft, draftOf(base));
  const newer = project.version > base.version ? project : null;

  // Nothing typed: the form follows. Something typed: it stays, and the person decides.
  if (newer && clean) {
    setBase(newer);
    setDraft(draftOf(newer));
  }

  const submit = useSubmit(
    (id) =>
      api.patch<Project & { slugNote: string | null }>(
        `/projects/${project.id}`,
        { ...draft, version: base.version },
        { requestId: id },
      ),
    ({ slugNote, ...saved }) => {
      accept(saved);
      toast({ title: 'The settings are saved.', text: slugNote ?? undefined });
    },
  );

  const accept = (saved: Project) => {
    queries.setQueryData(projectQuery(project.id).queryKey, saved);
    void queries.invalidateQueries({ queryKey: ['projects'] });
    setBase(saved);
    setDraft(draftOf(saved));
  };

  const stale =
    submit.error instanceof ApiProblem && submit.error.isStale ? submit.error.current<Project>() : null;
  const theirs = stale && stale.version > base.version ? stale : clean ? null : newer;

  return (
    <>
      <PageHead title="Project settings" />
      <SettingsTabs projectId={project.id} />
      <div className="page-body page-body--tabbed" data-width="form">
        <SubmitForm submit={submit} className="stack" data-fill="" data-gap="wide">
          {theirs && (
            <Changed
              base={draftOf(base)}
              theirs={draftOf(theirs)}
              mine={draft}
              onLoad={() => {
                submit.clear();
                setBase(theirs);
                setDraft(draftOf(theirs));
              }}
              onKeep={() => {
                submit.clear();
                setDraft(rebase(draftOf(base), draftOf(theirs), draft));
                setBase(theirs);
              }}
            />
          )}
          <ProblemBanner problem={theirs ? null : submit.problem} />
          <ProjectFields
            draft={draft}
            onChange={setDraft}
            errors={submit.fields}
            nameHint={`Rule files name this project by its slug, now ${base.slug}. A new name may give a new slug; rule files that name the old one stop matching.`}
          />
          <Field
            label="Domain"
            hint="The host name of the product, such as example.com. Leave it empty when there is none."
            error={submit.fields.domain}
          >
            {(control) => (
              <input
                {...control}
                className="input"
                type="text"
                inputMode="url"
                autoComplete="off"
                spellCheck={false}
                value={draft.domain}
                onChange={(event) => setDraft({ ...draft, domain: event.target.value })}
              />
            )}
          </Field>
          <div className="row">
            <Button
              type="submit"
              variant="primary"
              busy={submit.busy}
              disabledReason={
                clean ? 'Nothing is changed.' : theirs ? 'Decide about the newer values first.' : null
              }
            >
              Save settings
            </Button>
            {!clean && (
              <Button
                onClick={() => {
                  submit.clear();
                  setDraft(draftOf(base));
                }}
              >
                Discard changes
              </Button>
            )}
          </div>
        </SubmitForm>
        {project.role === 'owner' && <TransferSection project={project} />}
        {project.role === 'owner' && <DangerZone project={project} />}
      </div>
      <LeaveGuard dirty={!clean && !submit.busy} />
    </>
  );
}

interface ChangedProps {
  readonly base: Draft;
  readonly theirs: Draft;
  readonly mine: Draft;
  readonly onLoad: () => void;
  readonly onKeep: () => void;
}

function Changed({ base, theirs, mine, onLoad, onKeep }: ChangedProps) {
  const differences = changedMeanwhile(base, theirs, mine);
  return (
    <Banner
      tone="warn"
      alert
      actions={
        <>
          <Button size="sm" onClick={onLoad}>
            Load the saved values
          </Button>
          <Button size="sm" onClick={onKeep}>
            Keep mine and go on
          </Button>
        </>
      }
    >
      <b>Changed meanwhile.</b> Somebody saved other values. Nothing of yours is stored or lost.
      {differences.length > 0 && (
        <dl className="facts">
          {differences.map(({ field, theirs: saved, mine: typed }) => (
            <div key={field} className="facts__pair">
              <dt>{LABELS[field] ?? field}</dt>
              <dd>
                Saved: <b dir="auto">{saved === '' ? 'empty' : saved}</b>. Yours:{' '}
                <b dir="auto">{typed === '' ? 'empty' : typed}</b>.
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Banner>
  );
}

function DangerZone({ project }: { readonly project: Project }) {
  const go = useNavigate();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  return (
    <section aria-labelledby="danger" className="danger-zone">
      <h2 id="danger">Delete this project</h2>
      <p className="muted">
        Its documents, comments and versions go away for everybody. Connections that are bound to it stop
        working. This cannot be taken back.
      </p>
      <div className="row">
        <Button variant="danger" onClick={() => setAsking(true)}>
          Delete project
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onClose={() => {
          setAsking(false);
          setTyped('');
        }}
        title={`Delete ${project.name}?`}
        action="Delete project"
        disabledReason={typed.trim() === project.name ? null : 'Type the name of the project first.'}
        onConfirm={async () => {
          await api.post(`/projects/${project.id}/delete`, { typedName: typed });
          toast({ title: `${project.name} is deleted.` });
          await go('/projects');
          queries.removeQueries({ queryKey: ['project', project.id] });
          await queries.invalidateQueries({ queryKey: ['projects'] });
        }}
      >
        <p>Everything in it is deleted for everybody who works in it. This cannot be taken back.</p>
        <Field
          label={
            <>
              Type <b dir="auto">{project.name}</b> to confirm
            </>
          }
        >
          {(control) => (
            <input
              {...control}
              className="input"
              type="text"
              dir="auto"
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
      </ConfirmDialog>
    </section>
  );
}
