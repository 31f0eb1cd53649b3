const PARTS = /[^\p{L}\p{N}\p{M}]+/gu;

/** Gives headings their ids (`documents.md` 4.1); one instance a document. */
export class HeadingIds {
  private readonly next = new Map<string, number>();
  private readonly taken = new Set<string>();

  of(text: string): string {
    const slug = text.normalize('NFC').toLowerCase().replace(PARTS, '-').replace(/^-|-$/g, '');
    const id = slug === '' ? 'heading-section' : `heading-${slug}`;
    let count = this.next.get(id) ?? 1;
    let candidate = count === 1 ? id : `${id}-${count}`;
    while (this.taken.has(candidate)) candidate = `${id}-${++count}`;
    this.next.set(id, count + 1);
    this.taken.add(candidate);
    return candidate;
  }
}
