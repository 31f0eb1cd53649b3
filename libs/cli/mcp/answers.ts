import { EventSourceParserStream } from 'eventsource-parser/stream';
import { messageOf } from './messages.js';

/** The body ended, or was cut, before the answer had come. */
export class CutBody extends Error {}

/** The body is no answer that the protocol knows. */
export class MalformedBody extends Error {}

/**
 * Passes on what an answer of `/mcp` holds, JSON or an event stream, each message as it comes.
 * @returns whether the answer to `id` was among it
 * @throws CutBody, MalformedBody
 */
export async function passOn(
  answer: Response,
  id: string | number | null,
  pass: (line: string) => void,
): Promise<boolean> {
  const type = answer.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) return passStream(answer, id, ({ data }) => pass(data));
  const text = await answer.text().catch(cut);
  if (text.trim() === '') return false;
  const message = messageOf(text);
  if (!message) throw new MalformedBody();
  pass(oneLine(text));
  return message.id === id && message.method === null;
}

/** Every event of a stream until it ends. @throws CutBody when it ended before the answer to `id`. */
export async function passStream(
  answer: Response,
  id: string | number | null,
  pass: (event: { readonly data: string; readonly id?: string }) => void,
): Promise<boolean> {
  let answered = false;
  try {
    const events = answer
      .body!.pipeThrough(new TextDecoderStream() as never)
      .pipeThrough(new EventSourceParserStream());
    for await (const { data, id: eventId } of events as unknown as AsyncIterable<{
      data: string;
      id?: string;
    }>) {
      const message = data === '' ? null : messageOf(data);
      if (!message) continue;
      pass({ data: oneLine(data), id: eventId });
      if (id !== null && message.id === id && message.method === null) answered = true;
    }
  } catch (error) {
    // An answer that has come whole stands, however the stream ended after it.
    if (!answered) cut(error);
  }
  if (id !== null && !answered) throw new CutBody();
  return answered;
}

function oneLine(text: string): string {
  return /[\r\n]/.test(text.trim()) ? JSON.stringify(JSON.parse(text)) : text.trim();
}

function cut(error: unknown): never {
  throw new CutBody((error as Error).message);
}
