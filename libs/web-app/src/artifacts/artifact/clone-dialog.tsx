import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Button } from '../../components/button';
import { CodeBlock } from '../../components/code-block';
import { Dialog } from '../../components/dialog';
import { LoadProblem } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';

export interface CloneDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly mint: () => Promise<{ gitRemoteUrl: string; access: 'ro' | 'rw'; expiresAt: string }>;
}

/** An address with a token of one hour, shown this once. */
export function CloneDialog({ open, onClose, mint }: CloneDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Clone with git"
      footer={<Button onClick={onClose}>Done</Button>}
    >
      <Token mint={mint} />
    </Dialog>
  );
}

function Token({ mint }: Pick<CloneDialogProps, 'mint'>) {
  const id = useId();
  const { data, error, refetch } = useQuery({
    queryKey: ['artifact-git-token', id],
    queryFn: mint,
    // A secret: asked for once, and forgotten with the dialog.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  if (error) return <LoadProblem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={2} />;
  return (
    <div className="stack" data-fill="">
      <CodeBlock code={`git clone ${data.gitRemoteUrl}`} what="command" />
      <p className="hint">
        The address holds a secret that {data.access === 'rw' ? 'reads and pushes' : 'only reads'}. It is not
        shown again and ends <RelativeTime at={data.expiresAt} />. Each push to <code>main</code> is one
        version.
      </p>
    </div>
  );
}
