/*
 * Unsent text. It lives in the tab's own storage, so that it survives a reload, a live update, a change of
 * filter or a closed composer, and goes when it is sent or thrown away.
 */

/** The part of `Storage` that drafts use. */
export interface TextStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const PREFIX = 'loupe.draft.';

/** Drafts of one place (a document, the form of a new one). Values are plain JSON. */
export class DraftStore {
  private readonly memory = new Map<string, string>();
  private readonly listeners = new Map<string, Set<() => void>>();

  constructor(
    private readonly place: string,
    private readonly storage: TextStorage | null,
  ) {}

  /** The stored draft; null when there is none or it cannot be read. */
  read<T>(slot: string): T | null {
    const text = this.raw(slot);
    if (text === null) return null;
    try {
      return JSON.parse(text) as T;
    } catch {
      return null;
    }
  }

  /** The stored text as it is: the same string means nothing changed. */
  raw(slot: string): string | null {
    const key = this.key(slot);
    const held = this.memory.get(key);
    if (held !== undefined) return held;
    try {
      return this.storage?.getItem(key) ?? null;
    } catch {
      return null;
    }
  }

  /** Keeps a draft. Storage may be full or closed to us; then the page itself keeps it. */
  write(slot: string, value: unknown): void {
    const key = this.key(slot);
    const text = JSON.stringify(value);
    try {
      if (!this.storage) throw new Error('no storage');
      this.storage.setItem(key, text);
      this.memory.delete(key);
    } catch {
      this.memory.set(key, text);
    }
    this.tell(slot);
  }

  drop(slot: string): void {
    const key = this.key(slot);
    this.memory.delete(key);
    try {
      this.storage?.removeItem(key);
    } catch {
      // Nothing is stored where storage is closed to us.
    }
    this.tell(slot);
  }

  subscribe(slot: string, listener: () => void): () => void {
    const known = this.listeners.get(slot) ?? new Set();
    known.add(listener);
    this.listeners.set(slot, known);
    return () => known.delete(listener);
  }

  private tell(slot: string): void {
    for (const listener of this.listeners.get(slot) ?? []) listener();
  }

  private key(slot: string): string {
    return `${PREFIX}${this.place}.${slot}`;
  }
}

const stores = new Map<string, DraftStore>();

/** The store of a place; every caller gets the same one. */
export function draftsOf(place: string): DraftStore {
  let store = stores.get(place);
  if (!store) {
    store = new DraftStore(place, tabStorage());
    stores.set(place, store);
  }
  return store;
}

function tabStorage(): TextStorage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}
