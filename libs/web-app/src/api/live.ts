import { useEffect, useRef } from 'react';
import { createStore, useStore } from '../app/store';
import { type LiveLine, openLiveLine } from './live-line';
import { hears, type LiveMessage, type LiveState } from './live-stream';

type Handler = (message: LiveMessage) => void;

interface Watch {
  readonly topics: readonly string[];
  readonly handle: Handler;
}

const state = createStore<LiveState>('idle');
const watches = new Set<Watch>();
let switchedOff = false;
let line: LiveLine | null = null;
let planned = false;

/** Effects of one render add and drop watches one by one; the stream hears of the sum once. */
function replan(): void {
  if (planned) return;
  planned = true;
  queueMicrotask(() => {
    planned = false;
    if (switchedOff) return;
    const topics = [...new Set([...watches].flatMap((watch) => [...watch.topics]))];
    if (topics.length === 0 && !line) return;
    line ??= openLiveLine({ onMessage: tell, onState: (next) => state.set(next) });
    if (topics.length === 0) state.set('idle');
    line.want(topics);
  });
}

function tell(message: LiveMessage): void {
  for (const watch of [...watches]) {
    if (!('topic' in message) || hears(watch.topics, message.topic)) watch.handle(message);
  }
}

/** Follows the flag `live_updates.enabled`. While it is off, pages refresh when they get the focus. */
export function allowLive(allowed: boolean): void {
  if (allowed === !switchedOff) return;
  switchedOff = !allowed;
  if (switchedOff) {
    line?.close();
    line = null;
    state.set('off');
  } else {
    state.set('idle');
    replan();
  }
}

/**
 * Hears of changes under these topics while the component is on screen. All calls of all pages share one stream. The
 * handler also gets `{type: 'resync'}` when events may have been missed: fetch again what is shown.
 */
export function useLive(topics: readonly string[], handler: Handler): void {
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  const key = topics.join(',');
  useEffect(() => {
    if (key === '') return;
    const watch: Watch = { topics: key.split(','), handle: (message) => latest.current(message) };
    watches.add(watch);
    replan();
    return () => {
      watches.delete(watch);
      replan();
    };
  }, [key]);
}

export function useLiveState(): LiveState {
  return useStore(state);
}
