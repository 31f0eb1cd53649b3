import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { DraftStore } from './draft-store';

/** A draft as state: reading, keeping and dropping it. */
export function useDraft<T>(store: DraftStore, slot: string): [T | null, (value: T) => void, () => void] {
  const subscribe = useCallback((listener: () => void) => store.subscribe(slot, listener), [store, slot]);
  const raw = useSyncExternalStore(subscribe, () => store.raw(slot));
  const value = useMemo(() => (raw === null ? null : store.read<T>(slot)), [raw, store, slot]);
  const keep = useCallback((next: T) => store.write(slot, next), [store, slot]);
  const drop = useCallback(() => store.drop(slot), [store, slot]);
  return [value, keep, drop];
}

/** A draft of plain text; empty text is no draft. */
export function useTextDraft(store: DraftStore, slot: string): [string, (text: string) => void] {
  const [value, keep, drop] = useDraft<string>(store, slot);
  const set = useCallback((text: string) => (text === '' ? drop() : keep(text)), [keep, drop]);
  return [value ?? '', set];
}
