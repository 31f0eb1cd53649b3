import { CircleAlert, CircleCheck, CircleX, Info, X } from 'lucide-react';
import { useEffect } from 'react';
import { createStore, useStore } from '../app/store';
import { Button, IconButton } from './button';
import { Icon } from './icon';

export interface ToastInput {
  readonly tone?: 'good' | 'bad' | 'warn' | 'neutral';
  /** What happened, in bold. */
  readonly title: string;
  readonly text?: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

interface ShownToast extends ToastInput {
  readonly id: number;
}

const SHOWN_MS = 6_000;
const MOST = 3;
const toasts = createStore<readonly ShownToast[]>([]);
let nextId = 1;

/** Tells the result of what the person just did. Failures stay until they are dismissed. */
export function toast(input: ToastInput): void {
  const id = nextId;
  nextId += 1;
  toasts.set((now) => [...now, { ...input, id }].slice(-MOST));
}

function dismiss(id: number): void {
  toasts.set((now) => now.filter((each) => each.id !== id));
}

const ICONS = { good: CircleCheck, bad: CircleX, warn: CircleAlert, neutral: Info };

/** Where toasts show; the shell has one. */
export function Toasts() {
  const shown = useStore(toasts);
  return (
    <section className="toasts" aria-label="Messages">
      {shown.map((each) => (
        <ToastCard key={each.id} toast={each} />
      ))}
    </section>
  );
}

function ToastCard({ toast: { id, tone = 'good', title, text, action } }: { readonly toast: ShownToast }) {
  const stays = tone === 'bad';
  useEffect(() => {
    if (stays) return;
    const timer = setTimeout(() => dismiss(id), action ? SHOWN_MS * 2 : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, stays, action]);
  return (
    <div className="toast" data-tone={tone} role={stays ? 'alert' : 'status'}>
      <Icon icon={ICONS[tone]} />
      <div className="toast__text">
        <b>{title}</b> {text}
      </div>
      {action && (
        <Button
          variant="ghost"
          size="sm"
          onClick={() => {
            dismiss(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton label="Dismiss" icon={X} size="sm" onClick={() => dismiss(id)} />
    </div>
  );
}
