import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../../components/button';
import type { Column } from '../types';
import { useBoardActions } from './board-actions';

export interface QuickAddProps {
  readonly column: Column;
  readonly laneId: string;
  readonly onClose: () => void;
}

/** Title and Enter make a card; the field stays for the next one. */
export function QuickAdd({ column, laneId, onClose }: QuickAddProps) {
  const { add } = useBoardActions();
  const [title, setTitle] = useState('');
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, []);
  const send = async () => {
    const words = title.trim();
    if (words === '' || busy) return;
    setBusy(true);
    if (await add(column.columnId, laneId, words)) {
      setTitle('');
      field.current?.scrollIntoView({ block: 'nearest' });
    }
    setBusy(false);
    field.current?.focus();
  };
  return (
    <form
      className="quick-add"
      aria-label={`Add card to ${column.label}`}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        ref={field}
        className="textarea"
        rows={2}
        aria-label="Title of the card"
        placeholder="Title"
        dir="auto"
        maxLength={255}
        value={title}
        onChange={(event) => setTitle(event.target.value.replace(/\n/gu, ' '))}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') {
            event.preventDefault();
            void send();
          } else if (event.key === 'Escape') onClose();
        }}
      />
      <div className="row" data-gap="tight">
        <Button
          type="submit"
          size="sm"
          busy={busy}
          disabledReason={title.trim() === '' ? 'Type a title first' : null}
        >
          Add card
        </Button>
        <IconButton label="Close" icon={X} size="sm" onClick={onClose} />
      </div>
    </form>
  );
}
