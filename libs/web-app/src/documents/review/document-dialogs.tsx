import { useState } from 'react';
import { Field } from '../../components/field';
import { documentsApi } from '../api';
import { splitTags } from '../write/tags';
import { type DocumentDialogProps, FormDialog } from './form-dialog';

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
