import type { OneTimeLink } from '../../api/types';
import { useSession } from '../../app/session';
import { Button } from '../../components/button';
import { CodeBlock } from '../../components/code-block';
import { Dialog } from '../../components/dialog';
import { exactTime } from '../../components/format-time';

export interface LinkDialogProps {
  readonly title: string;
  /** What the link is for, as a sentence. */
  readonly text: string;
  readonly link: OneTimeLink | null;
  readonly onClose: () => void;
}

/** Shows a link once, to be copied to its person. */
export function LinkDialog({ title, text, link, onClose }: LinkDialogProps) {
  const { timezone } = useSession().person;
  return (
    <Dialog
      open={link !== null}
      onClose={onClose}
      title={title}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {link && (
        <>
          <p>{text}</p>
          <CodeBlock code={link.link} what="link" />
          <p className="muted small">
            {link.sent ? 'It went out by mail too. ' : 'No mail was sent: give it to the person yourself. '}
            It shows here once, works once, and ends {exactTime(new Date(link.expiresAt), timezone)}.
          </p>
        </>
      )}
    </Dialog>
  );
}
