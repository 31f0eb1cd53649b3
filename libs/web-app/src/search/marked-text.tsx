import { markedParts } from './marked-parts';

/** What the search found, with the words marked. */
export function MarkedText({ html }: { readonly html: string }) {
  let at = 0;
  return markedParts(html).map(({ text, marked }) => {
    const key = at;
    at += text.length;
    return marked ? (
      <mark key={key} className="hit">
        {text}
      </mark>
    ) : (
      <span key={key}>{text}</span>
    );
  });
}
