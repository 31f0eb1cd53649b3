import type { Section } from '../shapes';
import { glyph } from './glyph';

/** The round buttons beside the headings: "this section is fine by me". */
export class SectionApprovals {
  private readonly buttons = new Map<string, HTMLButtonElement>();

  constructor(
    private readonly root: HTMLElement,
    private readonly onToggle: (headingId: string, approved: boolean) => void,
  ) {}

  /** Shows the state of these sections; without `may` the state is there to be read alone. */
  show(sections: readonly Section[], may: boolean): void {
    for (const section of sections) {
      const button = this.buttons.get(section.headingId) ?? this.make(section);
      if (!button) continue;
      const before = button.getAttribute('aria-pressed');
      button.setAttribute('aria-pressed', String(section.approvedByYou));
      const others = section.approvals - (section.approvedByYou ? 1 : 0);
      const also = others > 0 ? `, approved by ${others} other${others === 1 ? '' : 's'}` : '';
      button.setAttribute('aria-label', `Approve section ${section.title}${also}`);
      button.title = titleOf(section, others, may);
      if (may) button.removeAttribute('aria-disabled');
      else button.setAttribute('aria-disabled', 'true');
      button.dataset.others = others > 0 ? String(others) : '';
      if (before !== String(section.approvedByYou)) {
        button.replaceChildren(glyph(section.approvedByYou ? 'done' : 'pending'));
      }
    }
  }

  dispose(): void {
    for (const button of this.buttons.values()) button.remove();
    this.buttons.clear();
  }

  private make(section: Section): HTMLButtonElement | null {
    const heading = this.root.querySelector(`#${CSS.escape(section.headingId)}`);
    if (!heading) return null;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'approve';
    button.setAttribute('data-no-anchor', '');
    button.addEventListener('click', (event) => {
      event.stopPropagation();
      if (button.getAttribute('aria-disabled') === 'true') return;
      this.onToggle(section.headingId, button.getAttribute('aria-pressed') !== 'true');
    });
    heading.prepend(button);
    this.buttons.set(section.headingId, button);
    return button;
  }
}

function titleOf(section: Section, others: number, may: boolean): string {
  const also = others > 0 ? ` ${others} other${others === 1 ? '' : 's'} approved it.` : '';
  if (!may) return section.approvedByYou ? 'You approved this section.' : `Not approved by you.${also}`;
  return `${section.approvedByYou ? 'Withdraw your approval.' : 'Approve this section.'}${also}`;
}
