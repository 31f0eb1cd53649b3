import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import type { DomainError } from '#libs/kernel/errors.js';
import { reasonToSkip } from '../../domain/file-set-policy.js';
import { OpenPushes } from '../open-pushes.js';
import { ArtifactBlobs, type NamedContent } from '../ports/artifact-blobs.js';
import { GitRepositories } from '../ports/git-repositories.js';
import { Pushes, type WantedFile } from '../ports/pushes.js';
import { otherBytes, unknownBytes } from './put-push-blob.js';

/** So much is stored at once, in bytes, while as much is awaited. */
const ROUND_BYTES = 1024 * 1024;

export interface PutPushBlobsInput {
  readonly pushId: string;
  /** Small files one after the other; may end with an error, such as that the client has gone. */
  readonly contents: AsyncIterable<NamedContent>;
}

/** One file that was not taken, with the words of the refusal. */
export interface RefusedBlob {
  readonly sha256: string;
  /** Null when no file of the push has the hash. */
  readonly path: string | null;
  readonly error: string;
  readonly message: string;
}

export interface TakenBlobs {
  /** Hashes whose bytes are stored now. */
  readonly taken: readonly string[];
  /** Nothing is kept of these; the others are stored all the same. */
  readonly refused: readonly RefusedBlob[];
}

/**
 * Bytes of many small files of a push. Each is checked as if it came alone, sending any of them twice is fine, and what
 * came before a cut stays.
 * @throws DomainError `not-found`, `conflict` `expired`, and what `contents` ends with.
 */
@Injectable()
export class PutPushBlobs {
  constructor(
    private readonly open: OpenPushes,
    private readonly pushes: Pushes,
    private readonly blobs: ArtifactBlobs,
    private readonly repositories: GitRepositories,
  ) {}

  async execute(actor: Actor, { pushId, contents }: PutPushBlobsInput): Promise<TakenBlobs> {
    const { request } = await this.open.require(actor, pushId);
    const wanted = new Map<string, WantedFile>();
    for (const file of request.files) if (!wanted.has(file.sha256)) wanted.set(file.sha256, file);
    const taken: string[] = [];
    const refused: RefusedBlob[] = [];
    const refuse = (sha256: string, error: DomainError): void => {
      const { code, message } = error;
      refused.push({ sha256, path: wanted.get(sha256)?.path ?? null, error: code, message });
    };
    let round: NamedContent[] = [];
    let bytes = 0;
    let storing: Promise<void> = Promise.resolve();
    const store = async (brought: readonly NamedContent[]): Promise<void> => {
      const kept = await this.blobs.putNamed(brought);
      const fresh = new Set(await this.pushes.noteBlobs(pushId, [...kept.keys()]));
      taken.push(...kept.keys());
      for (const { sha256 } of brought)
        if (!kept.has(sha256)) refuse(sha256, otherBytes(wanted.get(sha256)!.path));
      // What the version will leave out does not come into the repository either.
      const staying = brought.filter(
        ({ sha256 }) =>
          // Takes each out, as one may have been brought twice.
          fresh.delete(sha256) &&
          reasonToSkip(wanted.get(sha256)!.path, kept.get(sha256)!.sniffedType) === null,
      );
      await this.repositories.stage(pushId, staying);
    };
    /** Begins with what came, once what came before is stored. */
    const storeRound = async (): Promise<void> => {
      const brought = round;
      round = [];
      bytes = 0;
      await storing;
      storing = store(brought);
      // Thrown where it is awaited.
      storing.catch(() => undefined);
    };
    try {
      for await (const content of contents) {
        const file = wanted.get(content.sha256);
        if (!file) {
          refuse(content.sha256, unknownBytes());
        } else if (content.content.length !== file.bytes) {
          refuse(content.sha256, otherBytes(file.path));
        } else {
          round.push(content);
          bytes += file.bytes;
          if (bytes >= ROUND_BYTES) await storeRound();
        }
      }
    } finally {
      if (round.length > 0) await storeRound();
      await storing;
    }
    return { taken, refused };
  }
}
