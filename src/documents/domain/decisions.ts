import { DomainError } from '#libs/kernel/errors.js';
import type { DecisionBlock, DecisionOption } from './rendered-document.js';

/** One pick, as the reviewer saw it. */
export interface Selection {
  readonly optionLabel: string;
  readonly optionIndex: number;
  /** ISO time. */
  readonly answeredAt: string;
  readonly answeredAtVersion: number;
}

/** A pick against the options of one version: `index` is null when its option is gone. */
export interface ResolvedSelection {
  readonly label: string;
  readonly index: number | null;
  readonly answeredAt: string;
  readonly answeredAtVersion: number;
}

/** The same label wins; where a label occurs more than once the stored index breaks the tie. */
export function resolveSelections(
  selections: readonly Selection[],
  options: readonly DecisionOption[],
): ResolvedSelection[] {
  return selections.map((selection) => ({
    label: selection.optionLabel,
    index: indexOf(selection.optionLabel, selection.optionIndex, options),
    answeredAt: selection.answeredAt,
    answeredAtVersion: selection.answeredAtVersion,
  }));
}

function indexOf(label: string, hint: number, options: readonly DecisionOption[]): number | null {
  const same = options.flatMap((option, index) => (option.label === label ? [index] : []));
  if (same.length === 1) return same[0]!;
  return same.includes(hint) ? hint : null;
}

/** What a page sends: the two lists run in parallel. */
export interface Picks {
  readonly indexes: readonly number[];
  readonly labels: readonly string[];
}

/**
 * The selections that a click makes. On the version that the page showed the index counts, else the label.
 * A pick that was there before keeps its time. @throws DomainError `unknown_option`.
 */
export function select(
  block: DecisionBlock,
  picks: Picks,
  page: { readonly shown: number; readonly current: number; readonly at: Date },
  before: readonly Selection[],
): Selection[] {
  const picked = picks.labels.map((label, position) => {
    const hint = picks.indexes[position] ?? -1;
    const byIndex = page.shown === page.current && block.options[hint]?.label === label ? hint : null;
    const index = byIndex ?? indexOf(label, hint, block.options);
    if (index === null)
      throw new DomainError('invalid', 'unknown_option', 'That option is no longer offered. Choose again.', {
        argument: 'labels',
      });
    return index;
  });
  const indexes = [...new Set(picked)].sort((a, b) => a - b);
  if (block.type === 'single' && indexes.length > 1)
    throw new DomainError('invalid', 'one_option', 'This decision takes one option.', { argument: 'labels' });
  return indexes.map((index) => {
    const { label } = block.options[index]!;
    const kept = before.find((old) => old.optionLabel === label && old.optionIndex === index);
    return (
      kept ?? {
        optionLabel: label,
        optionIndex: index,
        answeredAt: page.at.toISOString(),
        answeredAtVersion: page.current,
      }
    );
  });
}
