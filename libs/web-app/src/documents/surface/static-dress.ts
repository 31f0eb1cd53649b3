import { lineIcon } from './glyph';

/** What every shown text needs, also one that takes no comments: shapes of callouts, tables that are no landmarks. */
export function dressStatic(root: HTMLElement): void {
  for (const box of root.querySelectorAll('.table-box[role="region"]')) box.setAttribute('role', 'group');
  for (const icon of root.querySelectorAll('.callout__icon')) icon.replaceChildren(calloutGlyph(icon));
}

/** The shape of a callout's kind, so that colour is not its only sign. */
function calloutGlyph(icon: Element): SVGSVGElement {
  const kind = icon.closest<HTMLElement>('[data-callout]')?.dataset.callout ?? 'note';
  switch (kind) {
    case 'warning':
    case 'caution':
      return lineIcon('M12 3 22 20H2z', 'M12 10v4', 'M12 17h.01');
    case 'tip':
      return lineIcon(
        'M9 18h6',
        'M10 21h4',
        'M12 3a6 6 0 0 0-3.5 10.9c.4.3.5.7.5 1.1h6c0-.4.100-.8.5-1.100A6 6 0 0 0 12 3z',
      );
    default:
      return lineIcon('M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z', 'M12 11v5', 'M12 8h.01');
  }
}
