const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const FINE = new Intl.NumberFormat('en', { maximumSignificantDigits: 6 });
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });

/** A number as a person reads it; at most six figures, no false precision. */
export function numberText(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e15 || (size > 0 && size < 1e-6)) return tidy(value.toExponential(2).replace('e+', 'e'));
  return tidy(Number.isInteger(value) ? WHOLE.format(value) : FINE.format(value));
}

/** Short, for the marks of an axis and for figures on bars: 12.5K, 3M. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e15 || size < 10_000) return numberText(value);
  return tidy(COMPACT.format(value));
}

const TIGHT_AFTER = new Set(['%', '‰', '°', '°C', '°F', 'x', '×']);
const TIGHT_BEFORE = new Set(['$', '€', '£', '¥', '₹', '₩']);

/** Whether a unit is written with every number, as a person does with per cent and currency signs. */
export function standsAtNumbers(unit: string): boolean {
  return TIGHT_AFTER.has(unit) || TIGHT_BEFORE.has(unit);
}

/** A number that is written already, with its unit. */
export function withUnit(text: string, unit: string | undefined): string {
  if (!unit) return text;
  // Halves of a coin are written with two figures.
  if (TIGHT_BEFORE.has(unit) && /\.\d$/.test(text)) return withUnit(`${text}0`, unit);
  if (TIGHT_BEFORE.has(unit)) return text.startsWith('−') ? `−${unit}${text.slice(1)}` : `${unit}${text}`;
  return TIGHT_AFTER.has(unit) ? `${text}${unit}` : `${text} ${unit}`;
}

/** Intl writes a hyphen; figures take the minus sign, which is as wide as they are. */
function tidy(text: string): string {
  return text.replace(/^-/, '−').replace('e-', 'e−');
}
