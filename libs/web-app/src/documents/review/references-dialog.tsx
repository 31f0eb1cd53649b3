import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Banner } from '../../components/banner';
import { Button } from '../../components/button';
import { Field } from '../../components/field';
import { documentKeys, documentsApi } from '../api';
import { ALL_DOCUMENTS } from '../list/list-filters';
import type { ListFilters } from '../shapes';
import { type DocumentDialogProps, FormDialog } from './form-dialog';

export function ReferencesDialog(props: DocumentDialogProps) {
  const { document } = props.review;
  const api = documentsApi(props.projectId);
  const [chosen, setChosen] = useState(
    document.references.map(({ documentId, title }) => ({ documentId, title })),
  );
  const [words, setWords] = useState('');
  const filters: ListFilters = { ...ALL_DOCUMENTS, q: words.trim() };
  const { data } = useQuery({
    queryKey: documentKeys.list(props.projectId, filters),
    queryFn: ({ signal }) => api.list(filters, signal),
    placeholderData: (before) => before,
  });
  const offered = (data?.documents ?? []).filter(
    ({ id }) => id !== document.id && !chosen.some(({ documentId }) => documentId === id),
  );
  return (
    <FormDialog
      {...props}
      title="References"
      action="Save references"
      done="References saved."
      send={() => api.change(document.id, { references: chosen.map(({ documentId }) => documentId) })}
    >
      {(fields) => (
        <>
          {fields.references && (
            <Banner tone="bad" alert>
              {fields.references}
            </Banner>
          )}
          <p className="hint">The documents that this one follows, answers or replaces.</p>
          <ul className="link-list" aria-label="Chosen">
            {chosen.map(({ documentId, title }) => (
              <li key={documentId}>
                <span dir="auto">{title}</span>
                <Button
                  size="sm"
                  variant="ghost"
                  aria-label={`Remove ${title}`}
                  onClick={() => setChosen((now) => now.filter((one) => one.documentId !== documentId))}
                >
                  Remove
                </Button>
              </li>
            ))}
          </ul>
          <Field label="Add a document" hint="Search by words of its title or text.">
            {(control) => (
              <input
                {...control}
                className="input"
                type="search"
                value={words}
                onChange={(event) => setWords(event.target.value)}
                onKeyDown={(event) => {
                  if (event.key === 'Enter') event.preventDefault();
                }}
              />
            )}
          </Field>
          <ul className="link-list" aria-label="Found">
            {offered.slice(0, 6).map(({ id, title }) => (
              <li key={id}>
                <span dir="auto">{title}</span>
                <Button
                  size="sm"
                  aria-label={`Add ${title}`}
                  onClick={() => setChosen((now) => [...now, { documentId: id, title }])}
                >
                  Add
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </FormDialog>
  );
}
