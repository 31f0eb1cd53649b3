import { findAgain, type QuoteAnchor } from '../anchoring/selection';

export type ComposeMode = 'comment' | 'suggest' | 'strike' | 'document';

/** A thread that is being written. */
export interface NewThread {
  readonly key: string;
  readonly mode: ComposeMode;
  readonly anchor: QuoteAnchor | null;
  /** The version whose text the anchor is measured in, and the length of that text. */
  readonly version: number;
  readonly textLength: number;
  readonly body: string;
  readonly replacement: string;
  /** Its words are gone in the version on the page. */
  readonly lost?: boolean;
}

/** The words of an unsent thread. They are kept apart, so that a key press touches nothing but its own field. */
export interface NewThreadText {
  readonly body: string;
  readonly replacement: string;
}

export function textSlot(key: string): string {
  return `new-thread.${key}`;
}

/** Whether anything would be lost by throwing it away. */
export function hasText(draft: NewThread): boolean {
  return (
    draft.body.trim() !== '' ||
    (draft.mode === 'suggest' && draft.replacement !== (draft.anchor?.quote ?? ''))
  );
}

/** What keeps a draft from being sent; null when it may go. */
export function sendProblem(draft: NewThread): string | null {
  if (draft.lost)
    return 'The words it is about are gone. Attach it to a selection, or make it a comment on the document.';
  if (draft.mode === 'strike') return null;
  if (draft.mode === 'suggest') {
    if (draft.replacement === draft.anchor?.quote) return 'Change the wording first.';
    if ([...draft.replacement].length > 5000) return 'A suggested wording has at most 5000 characters.';
    return null;
  }
  return draft.body.trim() === '' ? 'Write something first.' : null;
}

/** Moves unsent threads of an older text to the text on the page: the same words, nearest to where they were. */
export function moveDrafts(drafts: readonly NewThread[], version: number, text: string): NewThread[] {
  return drafts.map((draft) => {
    if (draft.version === version || !draft.anchor) return { ...draft, version };
    const found = findAgain(draft.anchor.quote, draft.anchor.start, draft.textLength, text);
    return found
      ? { ...draft, version, textLength: text.length, anchor: found, lost: false }
      : { ...draft, lost: true };
  });
}

/** The body of the request. */
export function requestOf(draft: NewThread) {
  return {
    version: draft.version,
    body: draft.body,
    ...(draft.anchor ? { anchor: { quote: draft.anchor.quote, start: draft.anchor.start } } : {}),
    ...(draft.mode === 'suggest' ? { replacement: draft.replacement } : {}),
    ...(draft.mode === 'strike' ? { replacement: '' } : {}),
  };
}
