import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiProblem } from '../../api/problem';
import { useCurrentProject } from '../../app/current-project';
import { usePage } from '../../app/page-frame';
import { mayContribute } from '../../app/session';
import { Button, ButtonLink } from '../../components/button';
import { Field, Select } from '../../components/field';
import { PageHead } from '../../components/page';
import { NotFoundPage } from '../../pages/not-found-page';
import { documentKeys, documentPaths, documentsApi } from '../api';
import { draftsOf } from '../drafts/draft-store';
import { useDraft } from '../drafts/use-draft';
import { MarkdownField } from './markdown-field';
import { Refusal, tellWarnings } from './refusal';
import { splitTags } from './tags';

interface NewDraft {
  readonly title: string;
  readonly markdown: string;
  readonly description: string;
  readonly tags: string;
  readonly language: string;
}

const EMPTY: NewDraft = { title: '', markdown: '', description: '', tags: '', language: '' };

/** Writes a document; it begins as a draft. */
export function NewPage() {
  const project = useCurrentProject();
  const api = useMemo(() => documentsApi(project.id), [project.id]);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const paths = documentPaths(project.id);
  const [kept, keep, drop] = useDraft<NewDraft>(draftsOf(`new.${project.id}`), 'form');
  const draft = kept ?? EMPTY;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const { data: languages } = useQuery({
    queryKey: ['search-languages'],
    queryFn: ({ signal }) => api.searchLanguages(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  usePage('New document', [{ label: 'Documents', to: paths.list }]);
  if (!mayContribute(project.role)) return <NotFoundPage />;

  const fields = problem instanceof ApiProblem ? problem.fields : {};
  const set = (part: Partial<NewDraft>) => keep({ ...draft, ...part });
  const blocked =
    draft.title.trim() === ''
      ? 'A document title must not be blank.'
      : draft.markdown.trim() === ''
        ? 'The Markdown must not be blank.'
        : null;

  const create = async () => {
    if (busy || blocked) return;
    setBusy(true);
    setProblem(null);
    try {
      const made = await api.create({
        title: draft.title,
        markdown: draft.markdown,
        ...(draft.description.trim() ? { description: draft.description } : {}),
        ...(draft.tags.trim() ? { tags: splitTags(draft.tags) } : {}),
        ...(draft.language ? { language: draft.language } : {}),
        draft: true,
      });
      drop();
      tellWarnings(made.warnings);
      void queries.invalidateQueries({ queryKey: documentKeys.root(project.id) });
      await navigate(documentPaths(project.id, made.id).review);
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };

  return (
    <>
      <PageHead title="New document" sub="It begins as a draft. Send it to review when it is ready." />
      <form
        className="write"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <Refusal problem={problem} />
        <Field label="Title" error={fields.title}>
          {(control) => (
            <input
              {...control}
              className="input"
              data-size="lg"
              dir="auto"
              maxLength={255}
              value={draft.title}
              onChange={(event) => set({ title: event.target.value })}
            />
          )}
        </Field>
        <MarkdownField
          api={api}
          value={draft.markdown}
          error={fields.markdown}
          onChange={(markdown) => set({ markdown })}
        />
        <Field
          label="Description"
          hint="Optional. What this document is and what it settles."
          error={fields.description}
        >
          {(control) => (
            <input
              {...control}
              className="input"
              dir="auto"
              maxLength={2000}
              value={draft.description}
              onChange={(event) => set({ description: event.target.value })}
            />
          )}
        </Field>
        <div className="write__two">
          <Field label="Tags" hint="Optional. Parted by commas." error={fields.tags}>
            {(control) => (
              <input
                {...control}
                className="input"
                value={draft.tags}
                onChange={(event) => set({ tags: event.target.value })}
              />
            )}
          </Field>
          <Field
            label="Search language"
            hint="So that words are found in all their forms."
            error={fields.language}
          >
            {(control) => (
              <Select
                {...control}
                value={draft.language}
                onChange={(event) => set({ language: event.target.value })}
              >
                <option value="">As the project: {languageName(project.searchLanguage)}</option>
                {languages?.map((name) => (
                  <option key={name} value={name}>
                    {languageName(name)}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <div className="write__foot">
          <ButtonLink to={paths.list}>Cancel</ButtonLink>
          <Button type="submit" variant="primary" busy={busy} disabledReason={blocked}>
            Create document
          </Button>
        </div>
      </form>
    </>
  );
}

function languageName(name: string): string {
  if (name === 'simple') return 'Other or mixed (no stemming)';
  return name.charAt(0).toUpperCase() + name.slice(1);
}
