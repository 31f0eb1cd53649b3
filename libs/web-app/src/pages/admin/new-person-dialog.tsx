import { useState } from 'react';
import { api } from '../../api/client';
import type { OneTimeLink } from '../../api/types';
import { ProblemBanner } from '../../components/banner';
import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { Field } from '../../components/field';
import { useSubmit } from '../../components/use-submit';

export interface NewPersonDialogProps {
  /** An account that exists at once, or a link by which the person makes it. */
  readonly kind: 'create' | 'invite';
  /** Whether the instance can send mail. */
  readonly mail: boolean;
  readonly onClose: () => void;
  readonly onDone: (link: OneTimeLink, email: string) => void;
}

/** Makes an account for somebody, or invites them to make it. */
export function NewPersonDialog({ kind, mail, onClose, onDone }: NewPersonDialogProps) {
  const [email, setEmail] = useState('');
  const [displayName, setDisplayName] = useState('');
  const [send, setSend] = useState(mail);
  const create = kind === 'create';
  const submit = useSubmit(
    (id) =>
      create
        ? api.post<OneTimeLink>('/admin/people', { email, displayName, send }, { requestId: id })
        : api.post<OneTimeLink>('/admin/invites', { email, send }, { requestId: id }),
    (link) => onDone(link, email.trim()),
  );
  return (
    <Dialog
      open
      onClose={onClose}
      onSubmit={() => void submit.run()}
      title={create ? 'Create a person' : 'Invite a person'}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={submit.busy}>
            {create ? 'Create person' : 'Invite person'}
          </Button>
        </>
      }
    >
      <p className="muted">
        {create
          ? 'The account is there at once; its owner chooses a password by a link that is good for 7 days.'
          : 'The person makes the account by a link that is good for 7 days, also while registration is closed.'}
      </p>
      <ProblemBanner problem={submit.problem} />
      <Field label="E-mail" error={submit.fields.email}>
        {(control) => (
          <input
            {...control}
            className="input"
            type="email"
            autoComplete="off"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Field>
      {create && (
        <Field label="Name" error={submit.fields.displayName}>
          {(control) => (
            <input
              {...control}
              className="input"
              type="text"
              dir="auto"
              autoComplete="off"
              value={displayName}
              onChange={(event) => setDisplayName(event.target.value)}
            />
          )}
        </Field>
      )}
      {mail ? (
        <label className="row" data-nowrap="">
          <input
            className="check"
            type="checkbox"
            checked={send}
            onChange={(event) => setSend(event.target.checked)}
          />
          <span>Send the link by mail. It is shown here in any case.</span>
        </label>
      ) : (
        <p className="muted small">Mail is off, so the link is shown here to be copied.</p>
      )}
    </Dialog>
  );
}
