import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '../api/client';
import type { Project } from '../api/types';
import { projectQuery, useFlag } from '../app/session';
import { ProblemBanner } from '../components/banner';
import { Button } from '../components/button';
import { LeaveGuard } from '../components/leave-guard';
import { SubmitForm } from '../components/submit-form';
import { useSubmit } from '../components/use-submit';
import { TemplateField } from '../workflow/template-field';
import { type ProjectDraft, ProjectFields } from './project-fields';

export interface NewProjectFormProps {
  readonly onCreated: (project: Project) => void;
  readonly actions?: ReactNode;
}

const EMPTY: ProjectDraft = { name: '', description: '', searchLanguage: 'english' };

export function NewProjectForm({ onCreated, actions }: NewProjectFormProps) {
  const queries = useQueryClient();
  const [draft, setDraft] = useState(EMPTY);
  const [templateKey, setTemplateKey] = useState<string | null>(null);
  const [created, setCreated] = useState(false);
  const board = useFlag('board.enabled');
  const submit = useSubmit(
    (id) => api.post<Project>('/projects', { ...draft, templateKey }, { requestId: id }),
    async (project) => {
      setCreated(true);
      queries.setQueryData(projectQuery(project.id).queryKey, project);
      await queries.invalidateQueries({ queryKey: ['projects'] });
      onCreated(project);
    },
  );
  return (
    <SubmitForm submit={submit} className="stack" data-fill="" data-gap="wide">
      <ProblemBanner problem={submit.problem} />
      <ProjectFields draft={draft} onChange={setDraft} errors={submit.fields} />
      {board && (
        <TemplateField value={templateKey} error={submit.fields.templateKey} onChange={setTemplateKey} />
      )}
      <div className="row">
        <Button type="submit" variant="primary" busy={submit.busy}>
          Add project
        </Button>
        {actions}
      </div>
      <LeaveGuard dirty={!created && !submit.busy && (draft.name !== '' || draft.description !== '')} />
    </SubmitForm>
  );
}
