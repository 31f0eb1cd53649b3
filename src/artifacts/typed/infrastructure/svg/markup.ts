export type Attributes = Readonly<Record<string, string | number | null | undefined>>;

/** Characters that XML 1.0 cannot hold, and those that turn the direction of the text around them. */
const UNSHOWABLE = /(?![\t\n])\p{Cc}|[\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;

/** Most texts are of these alone: names of classes, paths, figures. */
const PLAIN = /^[\w .,:;#()%/+-]*$/;

/** Text of a stranger, safe as content and as the value of an attribute. */
export function escaped(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(UNSHOWABLE, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** One element. `content` is markup already: pass text through `escaped`. */
export function element(
  name: string,
  attributes: Attributes,
  content: string | readonly string[] = '',
): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? round(value) : escaped(value!)}"`)
    .join('');
  const inner = typeof content === 'string' ? content : content.join('');
  return inner === '' ? `<${name}${written}/>` : `<${name}${written}>${inner}</${name}>`;
}

/** Tenths of a pixel are finer than anybody sees. */
export function round(value: number): string {
  return String(Math.round(value * 10) / 10 + 0);
}

export interface TextStyle {
  readonly class: string;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly size?: number;
  readonly weight?: number;
  readonly transform?: string;
}

/** A line of text of a stranger. */
export function textAt(x: number, y: number, text: string, style: TextStyle): string {
  return element(
    'text',
    {
      x,
      y,
      class: style.class,
      'text-anchor': style.anchor === 'start' ? undefined : style.anchor,
      'font-size': style.size,
      'font-weight': style.weight,
      transform: style.transform,
    },
    escaped(text),
  );
}

export function group(attributes: Attributes, content: readonly string[]): string {
  const inner = content.join('');
  return inner === '' ? '' : element('g', attributes, inner);
}
