import { EditMap } from 'micromark-util-edit-map';

type Edits = { map: [at: number, remove: number, add: unknown[]][]; index: Map<number, unknown> };

/**
 * Applies the noted edits to the list of parse events and forgets them. Touches the list from the
 * first edit on only: the parser edits near the end of an ever longer list whenever a list or quote
 * closes, and rewriting the whole list each time makes a 1 MB document take twice as long.
 */
export function applyEdits(edits: Edits, events: unknown[]): void {
  const { map } = edits;
  if (map.length === 0) return;
  map.sort((a, b) => a[0] - b[0]);
  const first = map[0]![0];
  const tail = events.slice(first);
  events.length = first;
  let from = 0;
  for (const [at, remove, add] of map) {
    for (; from < at - first; from++) events.push(tail[from]);
    for (const event of add) events.push(event);
    from = at - first + remove;
  }
  for (; from < tail.length; from++) events.push(tail[from]);
  map.length = 0;
  edits.index.clear();
}

/** Makes the Markdown parser edit its events in time that is linear in the document; see the decision record 0183. */
export function useLinearEdits(): void {
  (EditMap.prototype as unknown as { consume: (this: Edits, events: unknown[]) => void }).consume = function (
    events,
  ) {
    applyEdits(this, events);
  };
}
