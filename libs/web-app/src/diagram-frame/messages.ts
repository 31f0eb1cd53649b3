/** Characters of source that a drawing may have; `documents.md` 4.7. */
export const SOURCE_CHARACTERS = 20_000;

/** What the page asks of the frame. */
export interface DrawRequest {
  readonly type: 'draw';
  /** Comes back with the answer. */
  readonly id: string;
  /** The text of the code block. */
  readonly source: string;
  readonly theme: 'light' | 'dark';
}

/** What the frame tells the page; sizes in CSS pixels. */
export type FrameMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'drawn'; readonly id: string; readonly width: number; readonly height: number }
  | { readonly type: 'failed'; readonly id: string; readonly reason: string };

export function isDrawRequest(data: unknown): data is DrawRequest {
  if (data === null || typeof data !== 'object') return false;
  const { type, id, source, theme } = data as Partial<Record<keyof DrawRequest, unknown>>;
  return (
    type === 'draw' &&
    typeof id === 'string' &&
    typeof source === 'string' &&
    (theme === 'light' || theme === 'dark')
  );
}
