import { createHash } from 'node:crypto';

export interface PushAnswer {
  readonly artifactId: string;
  readonly version: number;
  readonly revision: string;
  readonly unchanged: boolean;
  readonly url: string;
  readonly previewUrl: string;
  readonly skippedFiles: { path: string; reason: string }[];
}

export interface Answer<T> {
  readonly status: number;
  readonly body: T & { readonly error?: string; readonly message?: string };
}

export const sha256Of = (content: Uint8Array | string): string =>
  createHash('sha256').update(content).digest('hex');

const TOGETHER_BYTES = 2 * 1024 * 1024;
const AT_ONCE = 4;
/** Larger files come alone. */
const TOGETHER_FILE_BYTES = 1024 * 1024;

/** One file as it stands in a batch. */
export function batched(content: Uint8Array | string, sha256 = sha256Of(content)): Buffer {
  return Buffer.concat([
    Buffer.from(`${sha256} ${Buffer.byteLength(content)}\n`),
    Buffer.from(content as Uint8Array),
  ]);
}

/** As the command has it: the first ones are smaller by steps. */
function inParcels(contents: readonly (Uint8Array | string)[], mostBytes: number): (Uint8Array | string)[][] {
  const parcels: (Uint8Array | string)[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const content of contents) {
    const own = Buffer.byteLength(content);
    bytes += own;
    const most = mostBytes * Math.min(1, parcels.length / AT_ONCE);
    if (bytes > most || own > TOGETHER_FILE_BYTES) {
      parcels.push([]);
      bytes = own > TOGETHER_FILE_BYTES ? Number.POSITIVE_INFINITY : own;
    }
    parcels.at(-1)!.push(content);
  }
  return parcels;
}

/** The protocol of `loupe artifact push` without its command: manifest, missing bytes, commit. */
export class PushClient {
  constructor(
    private readonly origin: string,
    private readonly token: string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  start(
    projectId: string,
    files: Readonly<Record<string, Uint8Array | string>>,
    more: object = {},
  ): Promise<Answer<{ pushId: string; missing: string[]; expiresAt: string }>> {
    const listed = Object.entries(files).map(([path, content]) => ({
      path,
      sha256: sha256Of(content),
      bytes: Buffer.byteLength(content),
    }));
    return this.call('POST', `/api/projects/${projectId}/artifact-pushes`, { ...more, files: listed });
  }

  async put(
    pushId: string,
    content: Uint8Array | string,
    sha256 = sha256Of(content),
  ): Promise<Answer<object>> {
    const response = await fetch(`${this.origin}/api/artifact-pushes/${pushId}/blobs/${sha256}`, {
      method: 'PUT',
      headers: { ...this.authorized(), 'content-type': 'application/octet-stream' },
      body: content as unknown as RequestInit['body'],
    });
    return { status: response.status, body: (await response.json()) as object };
  }

  /** Many small files in one request. */
  async putTogether(
    pushId: string,
    contents: readonly (Uint8Array | string)[],
  ): Promise<
    Answer<{ taken: string[]; refused: { sha256: string; path: string | null; message: string }[] }>
  > {
    return this.sendBatch(pushId, Buffer.concat(contents.map((content) => batched(content))));
  }

  /** The body as it is. */
  async sendBatch(
    pushId: string,
    body: Uint8Array,
    type = 'application/vnd.loupe.blobs',
  ): Promise<
    Answer<{ taken: string[]; refused: { sha256: string; path: string | null; message: string }[] }>
  > {
    const response = await fetch(`${this.origin}/api/artifact-pushes/${pushId}/blobs`, {
      method: 'PUT',
      headers: { ...this.authorized(), 'content-type': type },
      body: body as unknown as RequestInit['body'],
    });
    return { status: response.status, body: (await response.json()) as never };
  }

  commit(pushId: string): Promise<Answer<PushAnswer>> {
    return this.call('POST', `/api/artifact-pushes/${pushId}/commit`, {});
  }

  /**
   * All steps, four uploads at a time; files come together as the command sends them, or one by one.
   * @throws when a step is refused.
   */
  async push(
    projectId: string,
    files: Readonly<Record<string, Uint8Array | string>>,
    more: object = {},
    how: { readonly oneByOne?: boolean } = {},
  ): Promise<PushAnswer & { readonly sent: number }> {
    const started = await this.start(projectId, files, more);
    if (started.status !== 201) throw new Error(`${started.status} ${started.body.message}`);
    const { pushId, missing } = started.body;
    const bySha = new Map(Object.values(files).map((content) => [sha256Of(content), content]));
    const queue = inParcels(
      missing.map((sha256) => bySha.get(sha256)!),
      how.oneByOne ? 1 : TOGETHER_BYTES,
    );
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let parcel = queue.shift(); parcel; parcel = queue.shift()) {
          const alone = how.oneByOne || Buffer.byteLength(parcel[0]!) > TOGETHER_FILE_BYTES;
          const { status, body } = alone
            ? await this.put(pushId, parcel[0]!)
            : await this.putTogether(pushId, parcel);
          if (status !== 200) throw new Error(`${status} ${body.message}`);
        }
      }),
    );
    const { status, body } = await this.commit(pushId);
    if (status !== 200) throw new Error(`${status} ${body.message}`);
    return { ...body, sent: missing.length };
  }

  private async call<T>(method: string, path: string, body: object): Promise<Answer<T>> {
    const response = await fetch(`${this.origin}${path}`, {
      method,
      headers: { ...this.authorized(), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Answer<T>['body'] };
  }

  private authorized(): Record<string, string> {
    return { authorization: `Bearer ${this.token}`, ...this.headers };
  }
}
