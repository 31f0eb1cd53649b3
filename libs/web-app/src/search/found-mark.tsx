import { Chip, DocumentStatusChip } from '../components/chip';
import type { FoundThing } from './shapes';

/** What to know of a thing before it is opened: finished, archived, or where its review stands. */
export function FoundMark({ thing }: { readonly thing: FoundThing }) {
  if (thing.archived) {
    return (
      <Chip variant="plain" tone="neutral" glyph="passed-over">
        Archived
      </Chip>
    );
  }
  if (thing.finished) {
    return (
      <Chip variant="plain" tone="good" glyph="done">
        Finished
      </Chip>
    );
  }
  return thing.status && <DocumentStatusChip status={thing.status} variant="plain" />;
}
