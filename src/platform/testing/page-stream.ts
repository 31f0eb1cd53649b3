import { until } from '../../../test/support/until.js';

export interface Message {
  readonly id: string | null;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** A page that follows changes, as `EventSource` does: it keeps the last id, also of messages without data. */
export class PageStream {
  readonly messages: Message[] = [];
  lastId: string | null = null;
  retry: number | null = null;
  ended = false;
  private readonly controller = new AbortController();

  private constructor(
    readonly response: Response,
    controller: AbortController,
  ) {
    this.controller = controller;
  }

  static async open(url: string, headers: Record<string, string>): Promise<PageStream> {
    const controller = new AbortController();
    const response = await fetch(url, { headers, signal: controller.signal });
    const stream = new PageStream(response, controller);
    if (response.status === 200) void stream.read();
    else stream.ended = true;
    return stream;
  }

  get updates(): Record<string, unknown>[] {
    return this.messages.filter(({ event }) => event === 'update').map(({ data }) => data);
  }

  async placed(): Promise<this> {
    await until(() => this.lastId !== null);
    return this;
  }

  close(): void {
    this.controller.abort();
  }

  private async read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    try {
      for await (const chunk of this.response.body as unknown as AsyncIterable<Uint8Array>) {
        rest += decoder.decode(chunk, { stream: true });
        const blocks = rest.split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) this.take(block);
      }
    } catch {
      // Aborted by the page itself.
    }
    this.ended = true;
  }

  private take(block: string): void {
    const fields = new Map(
      block
        .split('\n')
        .filter((line) => !line.startsWith(':'))
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const),
    );
    this.lastId = fields.get('id') ?? this.lastId;
    if (fields.has('retry')) this.retry = Number(fields.get('retry'));
    const data = fields.get('data');
    if (data === undefined) return;
    this.messages.push({
      id: fields.get('id') ?? null,
      event: fields.get('event') ?? 'message',
      data: JSON.parse(data) as Record<string, unknown>,
    });
  }
}
