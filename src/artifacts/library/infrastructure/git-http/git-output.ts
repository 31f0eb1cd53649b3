import { Readable } from 'node:stream';

/** Reads output of a process piece by piece: lines, then counted bytes. */
export class GitOutput {
  private readonly chunks: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(output: Readable) {
    this.chunks = (output as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  /** Up to the next line break, which is taken off. @throws when the output ends before it. */
  async line(): Promise<string> {
    for (;;) {
      const end = this.rest.indexOf(0x0a);
      if (end >= 0) {
        const line = this.rest.subarray(0, end).toString();
        this.rest = this.rest.subarray(end + 1);
        return line;
      }
      this.rest = Buffer.concat([this.rest, await this.next()]);
    }
  }

  /** The next `count` bytes as they come. */
  async *bytes(count: number): AsyncGenerator<Buffer> {
    let left = count;
    while (left > 0) {
      if (this.rest.length === 0) this.rest = await this.next();
      const part = this.rest.subarray(0, left);
      this.rest = this.rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  private async next(): Promise<Buffer> {
    const { done, value } = await this.chunks.next();
    if (done) throw new Error('The output of git ended early.');
    return value;
  }
}
