import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { DomainError } from '#libs/kernel/errors.js';
import { OpenPushes } from '../open-pushes.js';
import { ArtifactBlobs } from '../ports/artifact-blobs.js';
import { Pushes } from '../ports/pushes.js';

export interface PutPushBlobInput {
  readonly pushId: string;
  readonly sha256: string;
  readonly content: Readable;
}

export interface TakenBlob {
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * Bytes of one file of a push. Sending them twice is fine.
 * @throws DomainError `not-found`, `conflict` `expired`; `invalid` when the bytes are not those that were announced.
 */
@Injectable()
export class PutPushBlob {
  constructor(
    private readonly open: OpenPushes,
    private readonly pushes: Pushes,
    private readonly blobs: ArtifactBlobs,
  ) {}

  async execute(actor: Actor, { pushId, sha256, content }: PutPushBlobInput): Promise<TakenBlob> {
    const wanted = await this.open.wanted(actor, pushId, sha256);
    if (!wanted) throw unknownBytes();
    let taken: TakenBlob;
    try {
      taken = await this.blobs.put(content, { maxBytes: wanted.bytes });
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'too-large') throw otherBytes(wanted.path);
      throw error;
    }
    if (taken.sha256 !== sha256 || taken.bytes !== wanted.bytes) throw otherBytes(wanted.path);
    await this.pushes.noteBlobs(pushId, [sha256]);
    return { sha256, bytes: taken.bytes };
  }
}

/** Refusal of bytes that no file of the push has. */
export function unknownBytes(): DomainError {
  return invalid('No file of this push has this hash.');
}

/** Refusal of bytes that are not those of the file. */
export function otherBytes(path: string): DomainError {
  return invalid(`These are not the bytes that were announced for ${path}. It may have changed: push again.`);
}

function invalid(sentence: string): DomainError {
  return new DomainError('invalid', 'wrong_bytes', sentence, { argument: 'sha256' });
}
