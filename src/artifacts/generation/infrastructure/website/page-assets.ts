import { createHash } from 'node:crypto';
import { type FetchedPage, type PageFetcher, PageRefused } from '../../application/ports/page-fetcher.js';
import { cleanedSvg } from './cleaned-svg.js';
import { extensionOf, type WantedKind } from './resource-types.js';

export const LIMITS = {
  resources: 200,
  resourceBytes: 10 * 1024 * 1024,
  totalBytes: 50 * 1024 * 1024,
  atOnce: 6,
} as const;

const ACCEPT: Readonly<Record<WantedKind, string>> = {
  image: 'image/avif,image/webp,image/*;q=0.9,*/*;q=0.5',
  style: 'text/css,*/*;q=0.1',
  'picture-or-font': 'font/woff2,image/*,*/*;q=0.5',
};

export interface LeftOut {
  readonly url: string;
  readonly why: string;
}

/** The resources of one page: each fetched once, within the limits, and kept under a name made from its content. */
export class PageAssets {
  /** File name in `assets/` to content. */
  readonly files = new Map<string, Buffer>();
  private readonly left = new Map<string, string>();
  private readonly fetched = new Map<string, Promise<FetchedPage | null>>();
  private readonly queue: (() => void)[] = [];
  private running = 0;
  private bytes = 0;
  private done = 0;

  constructor(
    private readonly pages: PageFetcher,
    private readonly signal: AbortSignal,
    /** Hears of each resource: how many are done, of how many so far. */
    private readonly onProgress: (done: number, known: number) => void,
  ) {}

  /** File name of an image or a font, or null when it was left out. A fragment of the address is of no interest. */
  async keep(url: string, wanted: 'image' | 'picture-or-font'): Promise<string | null> {
    const page = await this.fetch(url, wanted);
    if (!page) return null;
    const extension = extensionOf(wanted, page.contentType, page.url);
    if (extension === null) return this.leave(url, `it is ${page.contentType || 'of no type'}`);
    return this.add(extension === 'svg' ? cleanedSvg(page.bytes) : page.bytes, extension);
  }

  /** A stylesheet as it came, or null when it was left out. */
  async stylesheet(url: string): Promise<FetchedPage | null> {
    const page = await this.fetch(url, 'style');
    if (!page) return null;
    if (extensionOf('style', page.contentType, page.url) !== null) return page;
    this.leave(url, `it is ${page.contentType || 'of no type'}`);
    return null;
  }

  /** Keeps bytes. @returns the file name */
  add(content: Buffer, extension: string): string {
    const name = `${createHash('sha256').update(content).digest('hex').slice(0, 12)}.${extension}`;
    this.files.set(name, content);
    return name;
  }

  leave(url: string, why: string): null {
    if (!this.left.has(url)) this.left.set(url, why);
    return null;
  }

  get leftOut(): LeftOut[] {
    return [...this.left].map(([url, why]) => ({ url, why }));
  }

  private fetch(address: string, wanted: WantedKind): Promise<FetchedPage | null> {
    const url = address.replace(/#.*$/s, '');
    const key = `${wanted === 'style' ? 'style' : 'file'} ${url}`;
    let found = this.fetched.get(key);
    if (!found) {
      found =
        this.fetched.size >= LIMITS.resources
          ? Promise.resolve(this.leave(url, `the page has more than ${LIMITS.resources} resources`))
          : this.inTurn(() => this.load(url, wanted));
      if (this.fetched.size < LIMITS.resources) this.fetched.set(key, found);
    }
    return found;
  }

  private async load(url: string, wanted: WantedKind): Promise<FetchedPage | null> {
    if (this.signal.aborted) return this.leave(url, 'the time was over');
    const left = LIMITS.totalBytes - this.bytes;
    if (left <= 0) return this.leave(url, 'the page has more than 50 MiB of resources');
    try {
      const page = await this.pages.fetch(url, {
        accept: ACCEPT[wanted],
        maxBytes: Math.min(LIMITS.resourceBytes, left),
        signal: this.signal,
      });
      this.bytes += page.bytes.length;
      return page;
    } catch (error) {
      if (!(error instanceof PageRefused)) throw error;
      return this.leave(url, error.message.replace(/^It /, 'it ').replace(/\.$/, ''));
    } finally {
      this.done += 1;
      this.onProgress(this.done, this.fetched.size);
    }
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= LIMITS.atOnce) await new Promise<void>((turn) => this.queue.push(turn));
    this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
      this.queue.shift()?.();
    }
  }
}
