/** 8 MiB: a longer line is refused. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;
const EDGE_BYTES = 512;
const NEWLINE = 10;

export type InputLine =
  | { readonly kind: 'text'; readonly text: string }
  /** The beginning and the end of a line that was too long to keep. */
  | { readonly kind: 'too-long'; readonly head: string; readonly tail: string };

/** Cuts a stream of bytes into lines and keeps none that is longer than the limit. */
export class LineReader {
  private kept: Buffer[] = [];
  private size = 0;
  private tail = Buffer.alloc(0);

  constructor(
    private readonly take: (line: InputLine) => void,
    private readonly limit = MAX_LINE_BYTES,
  ) {}

  push(chunk: Buffer): void {
    let rest = chunk;
    for (let at = rest.indexOf(NEWLINE); at !== -1; at = rest.indexOf(NEWLINE)) {
      this.add(rest.subarray(0, at));
      this.end();
      rest = rest.subarray(at + 1);
    }
    this.add(rest);
  }

  /** The last line may lack its newline. */
  end(): void {
    const { kept, size, tail } = this;
    this.kept = [];
    this.size = 0;
    this.tail = Buffer.alloc(0);
    if (size > this.limit) {
      this.take({ kind: 'too-long', head: Buffer.concat(kept).toString(), tail: tail.toString() });
      return;
    }
    const text = Buffer.concat(kept).toString().trim();
    if (text !== '') this.take({ kind: 'text', text });
  }

  private add(part: Buffer): void {
    if (part.length === 0) return;
    const before = this.size;
    this.size += part.length;
    if (this.size <= this.limit) {
      this.kept.push(part);
      return;
    }
    if (before <= this.limit) {
      const whole = Buffer.concat([...this.kept, part]);
      this.kept = [whole.subarray(0, EDGE_BYTES)];
      this.tail = Buffer.from(whole.subarray(-EDGE_BYTES));
      return;
    }
    this.tail = Buffer.from(Buffer.concat([this.tail, part]).subarray(-EDGE_BYTES));
  }
}

const VALUE = '("(?:[^"\\\\]|\\\\.)*"|-?\\d+)';
const AT_HEAD = new RegExp(`^\\s*\\{\\s*(?:"jsonrpc"\\s*:\\s*"2\\.0"\\s*,\\s*)?"id"\\s*:\\s*${VALUE}`);
const AT_TAIL = new RegExp(
  `[,{]\\s*"id"\\s*:\\s*${VALUE}\\s*(?:,\\s*"jsonrpc"\\s*:\\s*"2\\.0"\\s*)?\\}\\s*$`,
);

/** The id of a message that was too long to parse, where its edges show it without doubt; else null. */
export function idAtEdges(head: string, tail: string): string | number | null {
  // One brace closes the message; an id inside of its parameters is followed by two.
  const found = AT_HEAD.exec(head)?.[1] ?? AT_TAIL.exec(tail)?.[1];
  return found === undefined ? null : (JSON.parse(found) as string | number);
}
