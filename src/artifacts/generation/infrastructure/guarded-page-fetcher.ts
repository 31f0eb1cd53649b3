import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type Dispatcher, request } from 'undici';
import {
  type CheckedRoute,
  checkedRoute,
  type ResolveHost,
  RouteRefused,
} from '#libs/outgoing/checked-route.js';
import {
  type FetchedPage,
  PageFetcher,
  PageRefused,
  type PageRequest,
} from '../application/ports/page-fetcher.js';
import { WebGuard } from './web-guard.js';

const REQUEST_MILLISECONDS = 30_000;
const MAX_REDIRECTS = 5;
const USER_AGENT = 'Loupe (page import)';
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export interface GuardedPageFetcherOptions {
  /** `host:port` pairs that may be private and may have any port. */
  readonly allow: readonly string[];
  readonly proxy: string | null;
  readonly resolve?: ResolveHost;
  /** For tests of slow servers. */
  readonly timeoutMs?: number;
}

/**
 * Reads pages of strangers: http and https on ports 80 and 443, from public addresses that are checked before each
 * connection, without cookies, referrer or credentials.
 */
export class GuardedPageFetcher extends PageFetcher {
  private readonly guard: WebGuard;
  private readonly timeoutMs: number;

  constructor(private readonly options: GuardedPageFetcherOptions) {
    super();
    this.guard = new WebGuard(options.allow, options.resolve);
    this.timeoutMs = options.timeoutMs ?? REQUEST_MILLISECONDS;
  }

  override accepts(address: string): boolean {
    return this.guard.accepts(address);
  }

  override async fetch(address: string, wanted: PageRequest): Promise<FetchedPage> {
    const timeUp = AbortSignal.timeout(this.timeoutMs);
    const signal = AbortSignal.any([wanted.signal, timeUp]);
    try {
      return await this.follow(address, wanted, signal);
    } catch (error) {
      if (error instanceof PageRefused) throw error;
      if (error instanceof RouteRefused) throw new PageRefused(sentenceOf(error), { cause: error });
      if (wanted.signal.aborted) throw new PageRefused('The time for fetching was over.', { cause: error });
      const late = `It did not answer within ${Math.round(this.timeoutMs / 1000)} seconds.`;
      throw new PageRefused(timeUp.aborted ? late : 'Its server could not be read.', { cause: error });
    }
  }

  private async follow(address: string, wanted: PageRequest, signal: AbortSignal): Promise<FetchedPage> {
    let url = address;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      if (!this.accepts(url)) throw new PageRefused('It is not a public http or https address.');
      const answer = await this.ask(new URL(url), wanted, signal);
      if ('page' in answer) return answer.page;
      url = answer.location;
    }
    throw new PageRefused(`It redirects more than ${MAX_REDIRECTS} times.`);
  }

  private async ask(
    url: URL,
    wanted: PageRequest,
    signal: AbortSignal,
  ): Promise<{ readonly page: FetchedPage } | { readonly location: string }> {
    const { target, dispatcher } = await this.route(url, wanted.maxBytes, signal);
    try {
      const response = await request(target, {
        method: 'GET',
        headers: {
          accept: wanted.accept,
          'accept-encoding': 'gzip, deflate, br',
          'user-agent': USER_AGENT,
          host: url.host,
        },
        dispatcher,
        signal,
      });
      const header = headerOf(response);
      if (REDIRECTS.has(response.statusCode)) {
        const location = header('location');
        if (!location || !URL.canParse(location, url.href)) throw new PageRefused('It redirects to nowhere.');
        return { location: new URL(location, url).href };
      }
      if (response.statusCode !== 200)
        throw new PageRefused(`It answered with status ${response.statusCode}.`);
      const [type = '', ...parameters] = (header('content-type') ?? '').split(';');
      const charset = parameters.map((p) => /^\s*charset\s*=\s*"?([\w.:-]+)/i.exec(p)?.[1]).find(Boolean);
      return {
        page: {
          url: url.href,
          contentType: type.trim().toLowerCase(),
          charset: charset ?? null,
          bytes: await readInflated(response.body, header('content-encoding'), wanted.maxBytes),
        },
      };
    } finally {
      // The rest of a refused answer is of no interest.
      void dispatcher.destroy().catch(() => undefined);
    }
  }

  private route(url: URL, maxBytes: number, signal: AbortSignal): Promise<CheckedRoute> {
    return checkedRoute(url, {
      allows: this.guard.allows(url),
      // What is allowed by name lies in the own network, where the proxy does not lead.
      proxy: this.guard.isExempt(url) ? null : this.options.proxy,
      resolve: this.guard.resolve,
      timeoutMs: this.timeoutMs,
      maxResponseBytes: maxBytes + 1024,
      signal,
    });
  }
}

function sentenceOf(refused: RouteRefused): string {
  return refused.reason === 'not-public'
    ? 'It is not a public http or https address.'
    : 'Its host name is unknown.';
}

function headerOf(response: Dispatcher.ResponseData): (name: string) => string | null {
  return (name) => {
    const value = response.headers[name];
    return (Array.isArray(value) ? value[0] : value) ?? null;
  };
}

/** Counts what comes out of the decompression, so that a small body cannot grow without limit. */
async function readInflated(body: Readable, encoding: string | null, maxBytes: number): Promise<Buffer> {
  const decoder = decoderOf(encoding?.trim().toLowerCase() ?? '');
  // A broken or cut stream reaches the reader as an error of the decoder.
  const stream: Readable = decoder ? pipeline(body, decoder, () => undefined) : body;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += (chunk as Buffer).length;
      if (size > maxBytes) throw new PageRefused(`It is larger than ${maxBytes} bytes.`);
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    if ((error as { code?: unknown }).code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
      throw new PageRefused(`It is larger than ${maxBytes} bytes.`, { cause: error });
    throw error;
  } finally {
    stream.destroy();
    body.destroy();
  }
  return Buffer.concat(chunks);
}

function decoderOf(encoding: string): Transform | null {
  switch (encoding) {
    case '':
    case 'identity':
      return null;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new PageRefused('It answered in an unknown compressed form.');
  }
}
