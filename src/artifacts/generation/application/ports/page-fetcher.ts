export interface FetchedPage {
  /** Where it was found, after redirects. */
  readonly url: string;
  /** Media type in lower case without parameters; empty when none was sent. */
  readonly contentType: string;
  readonly charset: string | null;
  readonly bytes: Buffer;
}

export interface PageRequest {
  /** Value of the `Accept` header. */
  readonly accept: string;
  /** Bytes after decompression. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Why a page could not be read; the sentence names no internal address and never says whether a port answered. */
export class PageRefused extends Error {
  override readonly name = 'PageRefused';
}

/** Reads from the web, from public addresses only (`artifacts.md` 10.5). */
export abstract class PageFetcher {
  /** Whether the form of the address lets it be fetched at all; names are looked up only when it is. */
  abstract accepts(address: string): boolean;
  /** Follows at most 5 redirects, each checked anew; 30 s in all. @throws PageRefused. */
  abstract fetch(address: string, request: PageRequest): Promise<FetchedPage>;
}
