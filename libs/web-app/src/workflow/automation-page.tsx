import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client';
import { ApiProblem } from '../api/problem';
import { useCurrentProject } from '../app/current-project';
import { usePage } from '../app/page-frame';
import { mayAdminister, useFlag } from '../app/session';
import { Banner, ProblemBanner } from '../components/banner';
import { Button } from '../components/button';
import { LeaveGuard } from '../components/leave-guard';
import { LoadProblem, PageHead } from '../components/page';
import { Skeleton } from '../components/progress';
import { SubmitForm } from '../components/submit-form';
import { toast } from '../components/toast';
import { useSubmit } from '../components/use-submit';
import { NotFoundPage, SwitchedOffPage } from '../pages/not-found-page';
import { SettingsTabs } from '../pages/project/settings-tabs';
import { type Automation, automationQuery, type SettingValue, useWorkflowNews } from './api';
import { EngineNotice, NoWorkflow } from './engine-notice';
import { SwitchRow, ValueField } from './value-field';
import { type ValueWords, valueWords } from './words';
import './workflow.css';

/** `/projects/{id}/settings/automation`: the switch of the workflow and the values of its template. */
export default function AutomationPage() {
  const project = useCurrentProject();
  const on = useFlag('board.enabled');
  usePage('Automation', [
    { label: project.name, to: `/projects/${project.id}` },
    { label: 'Project settings', to: `/projects/${project.id}/settings` },
  ]);
  if (!on) return <SwitchedOffPage />;
  if (!mayAdminister(project.role)) return <NotFoundPage />;
  return (
    <>
      <PageHead title="Project settings" />
      <SettingsTabs projectId={project.id} />
      <div className="page-body page-body--tabbed" data-width="form">
        <Loaded projectId={project.id} />
      </div>
    </>
  );
}

function Loaded({ projectId }: { readonly projectId: string }) {
  useWorkflowNews(projectId);
  const { data, error, refetch } = useQuery(automationQuery(projectId));
  if (data) return <Settings projectId={projectId} saved={data} />;
  if (error instanceof ApiProblem && error.code === 'no_workflow')
    return <NoWorkflow sentence={error.message} />;
  return error ? <LoadProblem error={error} onRetry={() => void refetch()} /> : <Skeleton lines={8} />;
}

interface Draft {
  readonly enabled: boolean;
  readonly values: Readonly<Record<string, SettingValue>>;
}

function draftOf({ enabled, values }: Automation): Draft {
  return { enabled, values: Object.fromEntries(values.map(({ key, value }) => [key, value])) };
}

/** What differs from the saved settings, as a save sends it. */
function changesOf(
  base: Automation,
  draft: Draft,
): { enabled?: boolean; values?: Record<string, SettingValue> } {
  const values = Object.fromEntries(
    base.values
      .filter(({ key, value }) => String(draft.values[key]) !== String(value))
      .map(({ key }) => [key, draft.values[key] as SettingValue]),
  );
  return {
    ...(draft.enabled === base.enabled ? {} : { enabled: draft.enabled }),
    ...(Object.keys(values).length === 0 ? {} : { values }),
  };
}

function Settings({ projectId, saved }: { readonly projectId: string; readonly saved: Automation }) {
  const queries = useQueryClient();
  const [base, setBase] = useState(saved);
  const [draft, setDraft] = useState(() => draftOf(saved));
  const changes = changesOf(base, draft);
  const clean = Object.keys(changes).length === 0;
  const load = (from: Automation) => {
    setBase(from);
    setDraft(draftOf(from));
  };
  const newer = saved.version > base.version ? saved : null;
  // Nothing chosen: the form follows. Something chosen: it stays, and the person decides.
  if (newer && clean) load(newer);

  const submit = useSubmit(
    (id) =>
      api.patch<Automation>(
        `/projects/${projectId}/automation`,
        { ...changes, version: base.version },
        { requestId: id },
      ),
    (answer) => {
      queries.setQueryData(automationQuery(projectId).queryKey, answer);
      load(answer);
      toast({ title: 'The automation settings are saved.' });
    },
  );
  const stale =
    submit.error instanceof ApiProblem && submit.error.isStale ? submit.error.current<Automation>() : null;
  const theirs = stale ?? (clean ? null : newer);
  const fields = (group: ValueWords['group']) =>
    base.values
      .filter(({ key }) => valueWords(key).group === group)
      .map((definition) => (
        <ValueField
          key={definition.key}
          definition={definition}
          value={draft.values[definition.key] ?? definition.value}
          error={submit.fields[definition.key]}
          onChange={(value) => setDraft({ ...draft, values: { ...draft.values, [definition.key]: value } })}
        />
      ));
  const [work, writes, comments] = [fields('work'), fields('writes'), fields('comments')];

  return (
    <SubmitForm submit={submit} className="stack" data-fill="" data-gap="wide">
      <EngineNotice engine={base.engine} />
      <SwitchRow
        label="Follow the workflow"
        hint="Off, every move by hand is free, and no rule acts."
        on={draft.enabled}
        onChange={(enabled) => setDraft({ ...draft, enabled })}
      />
      {work.length > 0 && (
        <section className="stack" data-fill="" data-gap="wide" aria-labelledby="automation-work">
          <h2 id="automation-work">Work</h2>
          {work}
        </section>
      )}
      {writes.length > 0 && (
        <section className="stack" data-fill="" aria-labelledby="automation-writes">
          <h2 id="automation-writes">Writes to the code host</h2>
          {base.installation === null && (
            <p className="muted">No code host is connected, so nothing can be written yet.</p>
          )}
          {writes}
        </section>
      )}
      {comments.length > 0 && (
        <section className="stack" data-fill="" aria-labelledby="automation-comments">
          <h2 id="automation-comments">Comments on pull requests</h2>
          {comments}
        </section>
      )}
      {theirs && (
        <Banner
          tone="warn"
          alert
          actions={
            <Button
              size="sm"
              onClick={() => {
                submit.clear();
                queries.setQueryData(automationQuery(projectId).queryKey, theirs);
                load(theirs);
              }}
            >
              Load the saved values
            </Button>
          }
        >
          <b>Changed meanwhile.</b> Somebody saved other settings. Yours are not stored; load, then choose
          again.
        </Banner>
      )}
      <ProblemBanner problem={stale ? null : submit.problem} />
      <div className="row">
        <Button
          type="submit"
          variant="primary"
          busy={submit.busy}
          disabledReason={clean ? 'Nothing is changed.' : theirs ? 'Load the saved values first.' : null}
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
      <LeaveGuard dirty={!clean && !submit.busy} />
    </SubmitForm>
  );
}
