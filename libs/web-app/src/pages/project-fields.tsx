import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client';
import { Field, Select } from '../components/field';

const DESCRIPTION_LIMIT = 500;

export interface ProjectDraft {
  readonly name: string;
  readonly description: string;
  readonly searchLanguage: string;
}

export interface ProjectFieldsProps<D extends ProjectDraft> {
  readonly draft: D;
  readonly onChange: (draft: D) => void;
  readonly errors: Readonly<Record<string, string>>;
  readonly nameHint?: string;
}

/** Name, description and search language: the same in the wizard, for a new project, and in its settings. */
export function ProjectFields<D extends ProjectDraft>({
  draft,
  onChange,
  errors,
  nameHint,
}: ProjectFieldsProps<D>) {
  const { data: languages = [draft.searchLanguage] } = useQuery({
    queryKey: ['search-languages'],
    queryFn: async ({ signal }) =>
      (await api.get<{ languages: string[] }>('/search-languages', { signal })).languages,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const shown = languages.includes(draft.searchLanguage) ? languages : [draft.searchLanguage, ...languages];
  return (
    <>
      <Field label="Name" hint={nameHint} error={errors.name}>
        {(control) => (
          <input
            {...control}
            className="input"
            type="text"
            dir="auto"
            autoComplete="off"
            required
            value={draft.name}
            onChange={(event) => onChange({ ...draft, name: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Description"
        hint="What this project is about. Agents read it too."
        aside={`${[...draft.description].length} of ${DESCRIPTION_LIMIT}`}
        error={errors.description}
      >
        {(control) => (
          <textarea
            {...control}
            className="textarea"
            rows={4}
            dir="auto"
            value={draft.description}
            onChange={(event) => onChange({ ...draft, description: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Search language"
        hint="How words are matched in documents that are written from now on."
        error={errors.searchLanguage}
      >
        {(control) => (
          <Select
            {...control}
            value={draft.searchLanguage}
            onChange={(event) => onChange({ ...draft, searchLanguage: event.target.value })}
          >
            {shown.map((language) => (
              <option key={language} value={language}>
                {languageName(language)}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </>
  );
}

function languageName(language: string): string {
  if (language === 'simple') return 'Any language, whole words only';
  return language.charAt(0).toUpperCase() + language.slice(1);
}
