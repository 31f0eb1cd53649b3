import type { HttpResponse } from '#libs/http/exchange.js';
import { EventStream } from './event-stream.js';

class WrittenResponse {
  text = '';
  headersSent = false;
  writableLength = 0;
  ended = false;
  status(): this {
    return this;
  }
  setHeader(): this {
    return this;
  }
  flushHeaders(): void {
    this.headersSent = true;
  }
  write(text: string): boolean {
    this.text += text;
    return true;
  }
  end(text = ''): void {
    this.text += text;
    this.ended = true;
  }
}

describe('EventStream', () => {
  let response: WrittenResponse;
  let overflows: number;
  let stream: EventStream;

  beforeEach(() => {
    jest.useFakeTimers();
    response = new WrittenResponse();
    overflows = 0;
    stream = new EventStream(response as unknown as HttpResponse, () => {
      overflows += 1;
    });
  });
  afterEach(() => jest.useRealTimers());

  it('sends a comment every 15 s, and none after its end', () => {
    stream.position('1-2-3');
    expect(response.text).toBe('id: 1-2-3\n\n');
    jest.advanceTimersByTime(30_000);
    expect(response.text).toBe('id: 1-2-3\n\n: still here\n\n: still here\n\n');
    stream.end();
    stream.end();
    const { text } = response;
    jest.advanceTimersByTime(60_000);
    stream.position('4-5-6');
    expect(response.text).toBe(text);
    expect(text).toMatch(/retry: [1-4]\d{3}\n\n$/);
  });

  it('leaves a response alone that was refused before the first word', () => {
    stream.end();
    expect(response).toMatchObject({ headersSent: false, ended: false, text: '' });
  });

  it('gives up on a page that takes nothing off', () => {
    stream.position('1-2-3');
    response.writableLength = 2_000_000;
    stream.resync('1-2-3');
    expect(overflows).toBe(1);
  });
});
