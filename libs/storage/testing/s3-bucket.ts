import { createHash, randomUUID } from 'node:crypto';

const SMALLEST_PART_BYTES = 5 * 1024 * 1024;
const LIST_MAX = 1_000;

/** A refusal of the store under its own code. */
export class S3Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}

export interface S3Object {
  readonly content: Buffer;
  readonly type: string;
}

interface OpenUpload {
  readonly key: string;
  readonly type: string;
  readonly parts: Map<number, Buffer>;
}

/** What a bucket knows: its objects, and uploads in parts that nobody sees before they are complete. */
export class S3Bucket {
  readonly objects = new Map<string, S3Object>();
  readonly uploads = new Map<string, OpenUpload>();

  get(key: string): S3Object {
    const object = this.objects.get(key);
    if (!object) throw new S3Refusal(404, 'NoSuchKey');
    return object;
  }

  begin(key: string, type: string): string {
    const id = randomUUID();
    this.uploads.set(id, { key, type, parts: new Map() });
    return id;
  }

  /** @returns etag of the part */
  addPart(id: string, number: number, content: Buffer): string {
    this.upload(id).parts.set(number, content);
    return etag(content);
  }

  /** Every part but the last has a smallest size, and all stand in order with the etags they got. */
  complete(id: string, named: readonly { readonly number: number; readonly etag: string }[]): void {
    const { key, type, parts } = this.upload(id);
    const contents = named.map(({ number, etag: given }, at) => {
      const content = parts.get(number);
      if (!content || etag(content) !== given) throw new S3Refusal(400, 'InvalidPart');
      if (at > 0 && named[at - 1]!.number >= number) throw new S3Refusal(400, 'InvalidPartOrder');
      if (at < named.length - 1 && content.length < SMALLEST_PART_BYTES) {
        throw new S3Refusal(400, 'EntityTooSmall');
      }
      return content;
    });
    if (contents.length === 0) throw new S3Refusal(400, 'MalformedXML');
    this.objects.set(key, { content: Buffer.concat(contents), type });
    this.uploads.delete(id);
  }

  abort(id: string): void {
    this.upload(id);
    this.uploads.delete(id);
  }

  list(prefix: string, after: string, max: number): { readonly keys: string[]; readonly truncated: boolean } {
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const most = Math.min(max, LIST_MAX);
    return { keys: keys.slice(0, most), truncated: keys.length > most };
  }

  private upload(id: string): OpenUpload {
    const upload = this.uploads.get(id);
    if (!upload) throw new S3Refusal(404, 'NoSuchUpload');
    return upload;
  }
}

/** As the store names a content. */
export function etag(content: Buffer): string {
  return `"${createHash('md5').update(content).digest('hex')}"`;
}
