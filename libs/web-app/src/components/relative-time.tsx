import { useSyncExternalStore } from 'react';
import { useSession } from '../app/session';
import { exactTime, relativeTime } from './format-time';

const TICK_MS = 20_000;
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | null = null;

/** All times on a page move on together, from one timer. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && timer) {
      clearInterval(timer);
      timer = null;
    }
  };
}

/** The time that the relative times of the page are measured from; moves every 20 s. */
function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

export interface RelativeTimeProps {
  readonly at: string;
  readonly className?: string;
}

/** A moment in everyday words, exact on hover, in the time zone of the person. */
export function RelativeTime({ at, className }: RelativeTimeProps) {
  const { timezone } = useSession().person;
  const shown = Math.max(useNow(), Date.now() - TICK_MS);
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return <span className={className}>unknown</span>;
  return (
    <time dateTime={at} title={exactTime(moment, timezone)} className={className}>
      {relativeTime(moment, new Date(shown), timezone)}
    </time>
  );
}
