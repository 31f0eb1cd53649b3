import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiProblem, sentenceOf } from '../../api/problem';
import { Banner } from '../../components/banner';
import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { Field } from '../../components/field';
import { toast } from '../../components/toast';
import { documentKeys, documentsApi, type ListFilters, type Review } from '../api';
import { splitTags } from '../write/tags';

export interface DocumentDialogProps {
  readonly projectId: string;
  readonly review: Review;
  readonly onClose: () => void;
}

interface FormDialogProps extends DocumentDialogProps {
  readonly title: string;
  readonly action: string;
  readonly done: string;
  readonly danger?: boolean;
  readonly blocked?: string | null;
  readonly send: () => Promise<unknown>;
  readonly children: (fields: Readonly<Record<string, string>>) => ReactNode;
}

/** A small form over the page; a refusal shows at its field and keeps what was typed. */
function FormDialog({
  projectId,
  title,
  action,
  done,
  danger,
  blocked,
  send,
  onClose,
  children,
}: FormDialogProps) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submit = async () => {
    if (busy || blocked) return;
    setBusy(true);
    setError(null);
    try {
      await send();
      toast({ title: done });
      void queries.invalidateQueries({ queryKey: documentKeys.root(projectId) });
      onClose();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const fields = error instanceof ApiProblem ? error.fields : {};
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant={danger ? 'danger-solid' : 'primary'}
            busy={busy}
            disabledReason={blocked}
          >
            {action}
          </Button>
        </>
      }
    >
      {error !== null && Object.keys(fields).length === 0 && (
        <Banner tone="bad" alert>
          {sentenceOf(error)}
        </Banner>
      )}
      {children(fields)}
    </Dialog>
  );
}

export function RenameDialog(props: DocumentDialogProps) {
  const [title, setTitle] = useState(props.review.document.title);
  return (
    <FormDialog
      {...props}
      title="Rename document"
      action="Rename"
      done="Renamed."
      blocked={title.trim() === '' ? 'A document title must not be blank.' : null}
      send={() => documentsApi(props.projectId).change(props.review.document.id, { title })}
    >
      {(fields) => (
        <Field label="Title" error={fields.title} hint="A rename makes no new version.">
          {(control) => (
            <input
              {...control}
              className="input"
              dir="auto"
              maxLength={255}
              value={title}
              onChange={(event) => setTitle(event.target.value)}
            />
          )}
        </Field>
      )}
    </FormDialog>
  );
}

export function TagsDialog(props: DocumentDialogProps) {
  const [tags, setTags] = useState(props.review.document.tags.join(', '));
  return (
    <FormDialog
      {...props}
      title="Tags"
      action="Save tags"
      done="Tags saved."
      send={() => documentsApi(props.projectId).change(props.review.document.id, { tags: splitTags(tags) })}
    >
      {(fields) => (
        <Field label="Tags" error={fields.tags} hint="Parted by commas. At most 20.">
          {(control) => (
            <input
              {...control}
              className="input"
              value={tags}
              onChange={(event) => setTags(event.target.value)}
            />
          )}
        </Field>
      )}
    </FormDialog>
  );
}

const ALL: ListFilters = { q: '', status: '', tag: '', series: '', archived: false, page: 1 };

export function SeriesDialog(props: DocumentDialogProps) {
  const { document } = props.review;
  const api = documentsApi(props.projectId);
  const [series, setSeries] = useState(document.series ?? '');
  const [ordinal, setOrdinal] = useState(
    document.seriesOrdinal === null ? '' : String(document.seriesOrdinal),
  );
  const { data } = useQuery({
    queryKey: documentKeys.list(props.projectId, ALL),
    queryFn: ({ signal }) => api.list(ALL, signal),
  });
  const known = data?.series.find((one) => one.name.toLowerCase() === series.trim().toLowerCase());
  const out = series.trim() === '';
  return (
    <FormDialog
      {...props}
      title="Series"
      action={out ? 'Take out of the series' : 'Save series'}
      done="Series saved."
      blocked={!out && !/^\d+$/.test(ordinal) ? 'A series name needs a position, counting from 1.' : null}
      send={() =>
        api.change(
          document.id,
          out
            ? { series: null, seriesOrdinal: null }
            : { series: series.trim(), seriesOrdinal: Number(ordinal) },
        )
      }
    >
      {(fields) => (
        <>
          <Field
            label="Series"
            error={fields.series}
            hint="Leave it empty to take the document out of its series."
          >
            {(control) => (
              <>
                <input
                  {...control}
                  className="input"
                  dir="auto"
                  list="known-series"
                  maxLength={100}
                  value={series}
                  onChange={(event) => setSeries(event.target.value)}
                />
                <datalist id="known-series">
                  {data?.series.map((one) => (
                    <option key={one.id} value={one.name} />
                  ))}
                </datalist>
              </>
            )}
          </Field>
          <Field
            label="Position"
            error={fields.seriesOrdinal}
            hint={
              known ? `The next free position is ${(known.highestOrdinal ?? 0) + 1}.` : 'Counting from 1.'
            }
          >
            {(control) => (
              <input
                {...control}
                className="input"
                inputMode="numeric"
                value={ordinal}
                onChange={(event) => setOrdinal(event.target.value.replace(/\D/g, ''))}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}

export function ReferencesDialog(props: DocumentDialogProps) {
  const { document } = props.review;
  const api = documentsApi(props.projectId);
  const [chosen, setChosen] = useState(
    document.references.map(({ documentId, title }) => ({ documentId, title })),
  );
  const [words, setWords] = useState('');
  const filters: ListFilters = { ...ALL, q: words.trim() };
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

export function ArchiveDialog(props: DocumentDialogProps) {
  const [reason, setReason] = useState('');
  return (
    <FormDialog
      {...props}
      title="Archive this document?"
      action="Archive document"
      danger
      done="Archived."
      blocked={reason.trim() === '' ? 'Say why it is archived.' : null}
      send={() => documentsApi(props.projectId).archive(props.review.document.id, reason)}
    >
      {(fields) => (
        <>
          <p>
            It leaves the list and takes no more revisions or verdicts. It stays readable, and you can bring
            it back.
          </p>
          <Field label="Reason" error={fields.reason}>
            {(control) => (
              <textarea
                {...control}
                className="textarea"
                dir="auto"
                rows={2}
                maxLength={500}
                value={reason}
                onChange={(event) => setReason(event.target.value)}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
