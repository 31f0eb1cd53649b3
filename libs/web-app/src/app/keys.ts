import { useEffect, useRef } from 'react';
import { createStore, useStore } from './store';

export interface Key {
  /** One key such as `j`, `?` or `/`, or two in a row such as `g d`. */
  readonly keys: string;
  readonly label: string;
  readonly run: () => void;
}

export interface KeyGroup {
  readonly name: string;
  readonly keys: readonly Key[];
}

const groups = createStore<readonly KeyGroup[]>([]);

/**
 * Adds single keys while the component is on screen; `?` lists them under `name`. They rest while somebody types, while
 * a dialog is open, and when the person has switched them off.
 */
export function useKeys(name: string, keys: readonly Key[]): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  const shape = keys.map((key) => `${key.keys}\t${key.label}`).join('\n');
  useEffect(() => {
    if (shape === '') return;
    const group: KeyGroup = {
      name,
      keys: shape.split('\n').map((line) => {
        const [pressed = '', label = ''] = line.split('\t');
        return {
          keys: pressed,
          label,
          run: () => latest.current.find((each) => each.keys === pressed)?.run(),
        };
      }),
    };
    groups.set((now) => [...now, group]);
    return () => groups.set((now) => now.filter((each) => each !== group));
  }, [name, shape]);
}

export function useKeyGroups(): readonly KeyGroup[] {
  return useStore(groups);
}

const TYPING =
  'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable=true]';
const SEQUENCE_MS = 1_000;

/** Listens for the keys of all groups. Later groups win, so a page may use a key of the shell. */
export function listenForKeys(enabled: () => boolean): () => void {
  let before = '';
  let beforeAt = 0;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (!enabled()) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest(TYPING) || document.querySelector('dialog[open], [role=menu], [role=dialog]')) return;
    const key = event.key;
    if (key.length !== 1) return;
    const pair = event.timeStamp - beforeAt < SEQUENCE_MS ? `${before} ${key}` : '';
    const found = find(pair) ?? find(key);
    before = key;
    beforeAt = event.timeStamp;
    if (!found) return;
    before = '';
    event.preventDefault();
    found.run();
  };
  document.addEventListener('keydown', onKeyDown);
  return () => document.removeEventListener('keydown', onKeyDown);
}

function find(keys: string): Key | undefined {
  if (keys === '') return undefined;
  for (const group of [...groups.get()].reverse()) {
    const key = group.keys.find((each) => each.keys === keys);
    if (key) return key;
  }
  return undefined;
}
