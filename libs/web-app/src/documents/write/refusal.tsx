import { sentenceOf } from '../../api/problem';
import { Banner } from '../../components/banner';
import { plural } from '../../components/plural';
import { toast } from '../../components/toast';
import type { Warning } from '../shapes';

/** Why nothing was saved. */
export function Refusal({ problem }: { readonly problem: unknown }) {
  if (problem === null) return null;
  return (
    <Banner tone="bad" alert>
      {sentenceOf(problem)} Nothing was saved; your text is kept.
    </Banner>
  );
}

/** What the author should mend in a text that was saved all the same. */
export function tellWarnings(warnings: readonly Warning[]): void {
  if (warnings.length === 0) return;
  toast({
    tone: 'warn',
    title: plural(warnings.length, 'warning'),
    text: warnings.map(({ message }) => message).join(' '),
  });
}
