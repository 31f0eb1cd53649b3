/** Blocks in a chunk: few enough to lay out at once, many enough that a text of 1 MB has some hundreds of chunks. */
const BLOCKS = 24;
/** Letters in a line and the height of a line and of a gap in rem: for the size of what was never laid out. */
const LETTERS = 70;
const LINE = 1.75;
const GAP = 1;

/** Longer texts skip the layout of blocks that are off screen (UTF-16 code units of plain text). */
const LARGE = 60_000;

export function isLarge(plainText: string): boolean {
  return plainText.length > LARGE;
}

/**
 * Groups the blocks of a long text. The browser looks at every part that it may leave out in each frame, so ten
 * thousand blocks cost more than the few that are on the screen.
 */
export function splitIntoChunks(root: HTMLElement): void {
  if (root.querySelector(':scope > .doc-chunk')) return;
  let chunk = newChunk();
  let blocks = 0;
  let height = 0;
  const done = () => {
    chunk.style.setProperty('contain-intrinsic-block-size', `auto ${Math.round(height)}rem`);
    root.append(chunk);
    chunk = newChunk();
    blocks = 0;
    height = 0;
  };
  for (const node of [...root.childNodes]) {
    chunk.append(node);
    if (node.nodeType !== Node.ELEMENT_NODE) continue;
    blocks += 1;
    height += Math.ceil((node.textContent?.length ?? 0) / LETTERS) * LINE + GAP;
    if (blocks === BLOCKS) done();
  }
  if (chunk.hasChildNodes()) done();
}

/** The chunk that holds an element; null in a text that has none. */
export function chunkOf(element: Element | null | undefined): Element | null {
  return element?.closest('.doc-chunk') ?? null;
}

function newChunk(): HTMLElement {
  const chunk = document.createElement('div');
  chunk.className = 'doc-chunk';
  return chunk;
}
