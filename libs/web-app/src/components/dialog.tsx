import { X } from 'lucide-react';
import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef, useState } from 'react';
import { sentenceOf } from '../api/problem';
import { ProblemBanner } from './banner';
import { Button, IconButton } from './button';

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
  /** Makes the dialog one form, so that Enter sends it. */
  readonly onSubmit?: () => void;
}

/**
 * A question or a small form over the page. It is the dialog of the browser: the page behind is inert, Escape closes,
 * and the focus goes back to where it came from. What it holds is mounted only while it is open.
 */
export function Dialog({ open, ...rest }: DialogProps) {
  return open ? <OpenDialog {...rest} /> : null;
}

/** What gets the focus first: the field that is asked for, else the button that changes nothing. */
const FIRST =
  '.dialog__body :is(input:not([type=hidden], [type=radio]:not(:checked)), textarea, select), .dialog__foot button';

function OpenDialog({ onClose, title, children, footer, onSubmit }: Omit<DialogProps, 'open'>) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Taken while rendering: a field inside that focuses itself does so before any effect runs.
  const [before] = useState(() => document.activeElement);

  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    if (!dialog.open) dialog.showModal();
    dialog.querySelector<HTMLElement>(FIRST)?.focus();
    return () => {
      dialog.close();
      // The page is to be where it was.
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, [before]);

  const body = (
    <>
      <div className="dialog__head">
        <h2 id={titleId}>{title}</h2>
        <IconButton label="Close" icon={X} size="sm" onClick={onClose} />
      </div>
      <div className="dialog__body">{children}</div>
      {footer && <div className="dialog__foot">{footer}</div>}
    </>
  );
  return (
    <dialog
      ref={ref}
      className="dialog"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => event.stopPropagation()}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      {onSubmit ? (
        <form
          noValidate
          onSubmit={(event: SyntheticEvent) => {
            event.preventDefault();
            event.stopPropagation();
            onSubmit();
          }}
        >
          {body}
        </form>
      ) : (
        body
      )}
    </dialog>
  );
}

export interface ConfirmDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** A question that repeats the verb of the button. */
  readonly title: string;
  readonly children: ReactNode;
  /** Verb and object, such as "Revoke app". */
  readonly action: string;
  readonly danger?: boolean;
  /** Does it; a refusal is shown in the dialog, which then stays open. */
  readonly onConfirm: () => Promise<unknown>;
  readonly disabledReason?: string | null;
}

/** Asks before something that cannot be taken back. */
export function ConfirmDialog({
  open,
  onClose,
  title,
  children,
  action,
  danger = true,
  onConfirm,
  disabledReason,
}: ConfirmDialogProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const close = () => {
    setProblem(null);
    onClose();
  };
  const confirm = async () => {
    if (busy || disabledReason) return;
    setBusy(true);
    setProblem(null);
    try {
      await onConfirm();
      close();
    } catch (error) {
      setProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title={title}
      onSubmit={confirm}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            type="submit"
            variant={danger ? 'danger-solid' : 'primary'}
            busy={busy}
            disabledReason={disabledReason}
          >
            {action}
          </Button>
        </>
      }
    >
      {children}
      <ProblemBanner problem={problem} />
    </Dialog>
  );
}
