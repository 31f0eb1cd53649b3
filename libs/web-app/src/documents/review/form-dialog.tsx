import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiProblem, sentenceOf } from '../../api/problem';
import { Banner } from '../../components/banner';
import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { toast } from '../../components/toast';
import { documentKeys } from '../api';
import type { Review } from '../shapes';

export interface DocumentDialogProps {
  readonly projectId: string;
  readonly review: Review;
  readonly onClose: () => void;
}

export interface FormDialogProps extends DocumentDialogProps {
  readonly title: string;
  readonly action: string;
  readonly done: string;
  readonly danger?: boolean;
  readonly blocked?: string | null;
  readonly send: () => Promise<unknown>;
  readonly children: (fields: Readonly<Record<string, string>>) => ReactNode;
}

/** A small form over the page; a refusal shows at its field and keeps what was typed. */
export function FormDialog({
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
