import { useQuery } from '@tanstack/react-query';
import { Field, Select } from '../components/field';
import { templatesQuery } from './api';

export interface TemplateFieldProps {
  /** Null is the default of the server, an empty text no workflow. */
  readonly value: string | null;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Which workflow the board of a new project follows. It cannot be changed afterwards. */
export function TemplateField({ value, error, onChange }: TemplateFieldProps) {
  const { data: templates } = useQuery(templatesQuery);
  if (!templates) return null;
  const chosen = value ?? templates[0]?.key ?? '';
  const hint =
    templates.find(({ key }) => key === chosen)?.description ??
    'A board of three columns and a Backlog that follows no workflow.';
  return (
    <Field label="Workflow" hint={`${hint} It stays as it is chosen now.`} error={error}>
      {(control) => (
        <Select {...control} value={chosen} onChange={(event) => onChange(event.target.value)}>
          {templates.map(({ key, label }) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
          <option value="">No workflow</option>
        </Select>
      )}
    </Field>
  );
}
