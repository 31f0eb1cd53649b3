import { useState } from 'react';
import { ProblemBanner } from '../../components/banner';
import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { Field } from '../../components/field';
import { useSubmit } from '../../components/use-submit';
import type { ArtifactDetail } from '../shapes';

export interface RenameDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly artifact: ArtifactDetail;
  readonly onSave: (change: { name: string; description: string }) => Promise<void>;
}

/** Name and description. What was typed stays through a refusal. */
export function RenameDialog({ open, ...rest }: RenameDialogProps) {
  return open ? <OpenDialog {...rest} /> : null;
}

function OpenDialog({ onClose, artifact, onSave }: Omit<RenameDialogProps, 'open'>) {
  const [name, setName] = useState(artifact.name);
  const [description, setDescription] = useState(artifact.description);
  const submit = useSubmit(() => onSave({ name: name.trim(), description: description.trim() }), onClose);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Rename and describe"
      onSubmit={() => void submit.run()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            busy={submit.busy}
            disabledReason={name.trim() === '' ? 'A name is needed.' : null}
          >
            Save
          </Button>
        </>
      }
    >
      <div className="stack" data-fill="">
        <ProblemBanner problem={submit.problem} />
        <Field label="Name" error={submit.fields.name}>
          {(control) => (
            <input
              {...control}
              className="input"
              dir="auto"
              maxLength={120}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field label="Description" error={submit.fields.description} aside={`${description.length} of 1,000`}>
          {(control) => (
            <textarea
              {...control}
              className="textarea"
              dir="auto"
              rows={4}
              maxLength={1000}
              value={description}
              onChange={(event) => setDescription(event.target.value)}
            />
          )}
        </Field>
      </div>
    </Dialog>
  );
}
