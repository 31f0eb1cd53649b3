import { Agent, type Dispatcher, ProxyAgent, request } from 'undici';

export interface ConfiguredApiOptions {
  /** Without trailing slash. */
  readonly baseUrl: string;
  readonly proxy: string | null;
  /** Bytes of an answer. */
  readonly maxBytes: number;
}

export interface ApiRequest {
  /** Follows the base; begins with a slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON by POST; without it the request is a GET. */
  readonly body?: unknown;
  readonly signal: AbortSignal;
}

export interface ApiAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  /** Null when the answer is no JSON. */
  readonly json: unknown;
}

/** The address cannot be reached, or its answer cannot be read. */
export class ApiUnreachable extends Error {
  override readonly name = 'ApiUnreachable';
}

/**
 * An API at a base that the operator configured. No redirect is followed, so nothing that is sent reaches another host.
 */
export class ConfiguredApi {
  private readonly dispatcher: Dispatcher;

  constructor(private readonly options: ConfiguredApiOptions) {
    const limits = { headersTimeout: 0, bodyTimeout: 0, maxResponseSize: options.maxBytes };
    const isLocal = /^(localhost|127\.|\[::1\])/.test(new URL(options.baseUrl).hostname);
    this.dispatcher =
      options.proxy && !isLocal ? new ProxyAgent({ uri: options.proxy, ...limits }) : new Agent(limits);
  }

  /** @throws ApiUnreachable, or the reason of the signal. */
  async ask({ path, headers, body, signal }: ApiRequest): Promise<ApiAnswer> {
    try {
      const response = await request(`${this.options.baseUrl}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        dispatcher: this.dispatcher,
        signal,
      });
      const { 'retry-after': retryAfter } = response.headers;
      return {
        status: response.statusCode,
        retryAfter: (Array.isArray(retryAfter) ? retryAfter[0] : retryAfter) ?? null,
        json: jsonOf(await response.body.text()),
      };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw new ApiUnreachable('The address could not be read.', { cause: error });
    }
  }

  async close(): Promise<void> {
    await this.dispatcher.destroy();
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
