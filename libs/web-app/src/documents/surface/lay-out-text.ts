import { isLarge, splitIntoChunks } from './chunks';

/**
 * What has to be done before the first frame shows the text: whole texts of 1 MB take the browser most of a second to
 * lay out, the part on the screen some milliseconds.
 */
export function layOutText(root: HTMLElement, plainText: string, title: string): void {
  hideRepeatedTitle(root, title);
  if (!isLarge(plainText)) return;
  root.dataset.large = '';
  splitIntoChunks(root);
}

function hideRepeatedTitle(root: HTMLElement, title: string): void {
  const first = root.firstElementChild;
  const plain = (text: string) => text.replace(/\s+/gu, ' ').trim();
  if (first?.localName === 'h1' && plain(first.textContent ?? '') === plain(title)) {
    (first as HTMLElement).dataset.repeated = '';
  }
}
