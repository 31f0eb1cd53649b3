const HEADING = /<(\/?)h([1-6])(?=[\s>])/gu;

/**
 * Moves the headings of a text under those of the page round it: the first ones become level `top`, and none skips a
 * level, however the author numbered them. The HTML is of the server, so a `<` never stands for itself in it.
 */
export function headingsBelow(html: string, top: number): string {
  const open: { readonly written: number; readonly level: number }[] = [];
  let level = top;
  return html.replace(HEADING, (_, slash: string, digit: string) => {
    if (slash === '') {
      const written = Number(digit);
      while (open.length > 0 && (open.at(-1)?.written ?? 0) >= written) open.pop();
      level = Math.min(6, (open.at(-1)?.level ?? top - 1) + 1);
      open.push({ written, level });
    }
    return `<${slash}h${level}`;
  });
}
