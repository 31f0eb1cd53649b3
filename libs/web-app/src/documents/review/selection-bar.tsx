import { LocateFixed, MessageSquare, PenLine, Strikethrough } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../../components/button';
import type { PageSelection } from '../surface/document-surface';
import type { ComposeMode } from './new-thread';

export interface SelectionBarProps {
  readonly selection: PageSelection;
  /** A thread that lost its words waits for new ones. */
  readonly attaching: boolean;
  readonly onCompose: (mode: ComposeMode) => void;
  readonly onAttach: () => void;
}

/** What can be done with the selected words. It stands below them, or above the verdict bar on a phone. */
export function SelectionBar({ selection, attaching, onCompose, onAttach }: SelectionBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const { box, selected } = selection;
  const place = (element: HTMLDivElement | null) => {
    bar.current = element;
    if (!element) return;
    const width = element.offsetParent?.clientWidth ?? 0;
    const left = Math.max(0, Math.min(box.right - element.offsetWidth / 2, width - element.offsetWidth));
    element.style.setProperty('--top', `${Math.round(box.bottom + 8)}px`);
    element.style.setProperty('--left', `${Math.round(left)}px`);
  };
  return (
    <div
      className="select-bar select-bar--float"
      role="toolbar"
      aria-label="Selected passage"
      ref={place}
      // A press must not take the selection away.
      onMouseDown={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const buttons = [...(bar.current?.querySelectorAll('button') ?? [])];
        const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
        buttons[(at + step + buttons.length) % buttons.length]?.focus();
        event.preventDefault();
      }}
    >
      {!selected.ok ? (
        <span className="select-bar__reason">{selected.reason}</span>
      ) : attaching ? (
        <Button variant="ghost" size="sm" icon={LocateFixed} onClick={onAttach}>
          Attach here
        </Button>
      ) : (
        <>
          <Button
            variant="ghost"
            size="sm"
            icon={MessageSquare}
            aria-keyshortcuts="C"
            onClick={() => onCompose('comment')}
          >
            Comment
          </Button>
          <Button variant="ghost" size="sm" icon={PenLine} onClick={() => onCompose('suggest')}>
            Suggest wording
          </Button>
          <Button variant="ghost" size="sm" icon={Strikethrough} onClick={() => onCompose('strike')}>
            Strike
          </Button>
        </>
      )}
    </div>
  );
}
