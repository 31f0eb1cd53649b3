export interface MarkedPart {
  readonly text: string;
  readonly marked: boolean;
}

const SIGNS: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/**
 * Escaped HTML with `<mark>` as its parts, so that it is shown as text and never as HTML: whatever else looks like a tag
 * stays a text.
 */
export function markedParts(html: string): readonly MarkedPart[] {
  let marked = false;
  return html.split(/(<\/?mark>)/u).flatMap((part) => {
    if (part === '<mark>' || part === '</mark>') {
      marked = part === '<mark>';
      return [];
    }
    return part === ''
      ? []
      : [{ text: part.replace(/&(?:amp|lt|gt|quot|#39);/gu, (sign) => SIGNS[sign]!), marked }];
  });
}
