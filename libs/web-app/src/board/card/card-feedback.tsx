import { MessageSquare } from 'lucide-react';
import { EmptyState } from '../../components/empty-state';
import { plural } from '../../components/plural';

/** Notes that visitors left on a site, as far as they belong to this card. */
export function CardFeedback({ notes }: { readonly notes: readonly unknown[] }) {
  if (notes.length > 0) return <p>{plural(notes.length, 'note')} on this card.</p>;
  return (
    <EmptyState icon={MessageSquare} title="No feedback" level={3}>
      Notes of reviewers on your sites show here, on the card that they belong to.
    </EmptyState>
  );
}
