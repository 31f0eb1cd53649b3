import { useRef, useState } from 'react';
import { api } from '../../api/client';
import { ApiProblem, sentenceOf } from '../../api/problem';
import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { Field } from '../../components/field';

/**
 * Some changes ask for the password again when the sign-in is older than 10 minutes. `confirmed` runs a call; when it
 * is refused with `confirm_first`, the dialog asks, and the call runs once more. Cancelling gives the refusal.
 */
export function useConfirmedPassword() {
  const [open, setOpen] = useState(false);
  const settle = useRef<((confirmed: boolean) => void) | null>(null);

  const finish = (confirmed: boolean) => {
    setOpen(false);
    settle.current?.(confirmed);
    settle.current = null;
  };

  return {
    async confirmed<A>(call: () => Promise<A>): Promise<A> {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof ApiProblem && error.code === 'confirm_first')) throw error;
        const answer = await new Promise<boolean>((resolve) => {
          settle.current = resolve;
          setOpen(true);
        });
        if (!answer) throw error;
        return call();
      }
    },
    dialog: open ? <PasswordDialog onDone={() => finish(true)} onCancel={() => finish(false)} /> : null,
  };
}

function PasswordDialog({
  onDone,
  onCancel,
}: {
  readonly onDone: () => void;
  readonly onCancel: () => void;
}) {
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [byCompany, setByCompany] = useState(false);
  const confirm = async () => {
    if (busy) return;
    setBusy(true);
    try {
      await api.post('/account/confirm', { password });
      onDone();
    } catch (error) {
      setProblem(error instanceof ApiProblem ? (error.fields.password ?? error.message) : sentenceOf(error));
      setByCompany(error instanceof ApiProblem && error.code === 'confirm_by_company');
      setBusy(false);
    }
  };
  const { pathname, search } = window.location;
  return (
    <Dialog
      open
      onClose={onCancel}
      onSubmit={() => void confirm()}
      title="Confirm that it is you"
      footer={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          <Button type="submit" variant="primary" busy={busy}>
            Confirm
          </Button>
        </>
      }
    >
      <p className="muted">You signed in a while ago. Type your password once more.</p>
      <Field label="Password" error={problem}>
        {(control) => (
          <input
            {...control}
            className="input"
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      {byCompany && (
        <p>
          <a href={`/login/company?again&next=${encodeURIComponent(pathname + search)}`}>
            Sign in again through your company
          </a>
        </p>
      )}
    </Dialog>
  );
}
