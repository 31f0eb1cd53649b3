import { createHash } from 'node:crypto';
import type { ApiClient } from '../core/api-client.js';
import { Refusal } from '../core/api-client.js';
import { ExitCode } from '../core/exit-codes.js';
import { failed } from '../core/failure.js';
import { AT_ONCE, type Parcel, parcelsOf, type WantedFile } from './parcels.js';
import type { OpenPush, PendingPush } from './pending-push.js';
import { bytesOf, type ManifestRow, type PushFile } from './push-file.js';

const TOGETHER_TYPE = 'application/vnd.loupe.blobs';
/** What a server answers that takes files one by one. */
const NOT_TAKEN_TOGETHER = new Set([404, 405, 415, 501]);

export interface PushRequest {
  readonly artifactId?: string;
  readonly name?: string;
  readonly workspaceId?: string;
  readonly notes?: string;
  readonly entryPath?: string;
  readonly cardNumbers: readonly number[];
  readonly files: readonly ManifestRow[];
}

export interface PushAnswer {
  readonly artifactId: string;
  readonly version: number;
  readonly revision: string;
  readonly unchanged: boolean;
  readonly url: string;
  readonly previewUrl: string | null;
  readonly skippedFiles?: readonly { readonly path: string; readonly reason: string }[];
}

export interface Uploaded extends PushAnswer {
  readonly uploadedFiles: number;
  readonly uploadedBytes: number;
}

/** Tells how far the upload is: blobs and bytes that have arrived, of how many. */
export type Progress = (done: number, of: number, bytes: number, ofBytes: number) => void;

/** The answer about files that came together. */
interface TakenTogether {
  readonly taken: readonly string[];
  readonly refused: readonly { readonly sha256: string; readonly error: string; readonly message: string }[];
}

/** The protocol of a push (`artifacts.md` 9): manifest, missing blobs, commit. */
export class Upload {
  constructor(
    private readonly api: ApiClient,
    private readonly headers: Readonly<Record<string, string>>,
    private readonly progress: Progress,
  ) {}

  /** @throws Refusal, Failure (3), (5). What has arrived is kept, and the next push of the same files goes on. */
  async run(
    projectId: string,
    request: PushRequest,
    files: readonly PushFile[],
    pending: PendingPush,
  ): Promise<Uploaded> {
    const known = pending.read();
    if (known) {
      try {
        return await this.finish(known, request, files, pending);
      } catch (error) {
        // Its time was up, or the server has forgotten it: begin anew.
        if (!(error instanceof Refusal) || (error.status !== 404 && error.status !== 410)) throw error;
        pending.forget();
      }
    }
    const path = `/api/projects/${projectId}/artifact-pushes`;
    const open = await this.api.call<OpenPush>(path, {
      method: 'POST',
      json: request,
      headers: this.headers,
    });
    pending.begin(open);
    return this.finish(open, request, files, pending);
  }

  private async finish(
    open: OpenPush,
    request: PushRequest,
    files: readonly PushFile[],
    pending: PendingPush,
  ): Promise<Uploaded> {
    const bySha = new Map(request.files.map((row, index) => [row.sha256, { row, file: files[index]! }]));
    const wanted = [...new Set(open.missing)].flatMap((sha256) => bySha.get(sha256) ?? []);
    const ofBytes = wanted.reduce((sum, { row }) => sum + row.bytes, 0);
    let done = 0;
    let bytes = 0;
    const queue = parcelsOf(wanted, open.batch);
    const arrived = (files: readonly WantedFile[]) => {
      pending.arrived(files.map(({ row }) => row.sha256));
      done += files.length;
      bytes += files.reduce((sum, { row }) => sum + row.bytes, 0);
      this.progress(done, wanted.length, bytes, ofBytes);
    };
    const worker = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) await this.send(open.pushId, next, arrived);
    };
    // After a failure nothing new begins; what is on its way arrives, and need not be sent again.
    const guarded = () =>
      worker().catch((error: unknown) => {
        queue.length = 0;
        throw error;
      });
    const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, guarded));
    const failure = ends.find((end) => end.status === 'rejected');
    if (failure) throw failure.reason;
    const answer = await this.api.call<PushAnswer>(`/api/artifact-pushes/${open.pushId}/commit`, {
      method: 'POST',
      json: {},
      headers: this.headers,
    });
    pending.forget();
    return { ...answer, uploadedFiles: wanted.length, uploadedBytes: ofBytes };
  }

  private async send(
    pushId: string,
    { files, together }: Parcel,
    arrived: (files: readonly WantedFile[]) => void,
  ): Promise<void> {
    if (together && (await this.putTogether(pushId, files, arrived))) return;
    for (const one of files) {
      await this.put(pushId, one);
      arrived([one]);
    }
  }

  /** @returns false when this server takes files one by one. @throws Refusal of the first file that was not taken. */
  private async putTogether(
    pushId: string,
    files: readonly WantedFile[],
    arrived: (files: readonly WantedFile[]) => void,
  ): Promise<boolean> {
    const parts: Buffer[] = [];
    for (const one of files) {
      const bytes = await checkedBytes(one);
      parts.push(Buffer.from(`${one.row.sha256} ${bytes.length}\n`), bytes);
    }
    const body = Buffer.concat(parts);
    let answer: TakenTogether;
    try {
      answer = await this.api.call<TakenTogether>(`/api/artifact-pushes/${pushId}/blobs`, {
        method: 'PUT',
        body: () => body as unknown as RequestInit['body'],
        headers: { ...this.headers, 'content-type': TOGETHER_TYPE },
      });
    } catch (error) {
      if (error instanceof Refusal && NOT_TAKEN_TOGETHER.has(error.status)) return false;
      throw error;
    }
    const taken = new Set(answer.taken);
    arrived(files.filter(({ row }) => taken.has(row.sha256)));
    const [refused] = answer.refused;
    if (refused) throw new Refusal(422, refused.error, refused.message, ExitCode.failed);
    return true;
  }

  private async put(pushId: string, one: WantedFile): Promise<void> {
    const bytes = await checkedBytes(one);
    await this.api.call(`/api/artifact-pushes/${pushId}/blobs/${one.row.sha256}`, {
      method: 'PUT',
      body: () => bytes as unknown as RequestInit['body'],
      headers: { ...this.headers, 'content-type': 'application/octet-stream' },
    });
  }
}

/** @throws Failure when the file is not what it was when the push began. */
async function checkedBytes({ file, row }: WantedFile): Promise<Buffer> {
  const bytes = await bytesOf(file);
  if (createHash('sha256').update(bytes).digest('hex') !== row.sha256) {
    throw failed(`${file.path} changed while it was pushed`, 'push again');
  }
  return bytes;
}
