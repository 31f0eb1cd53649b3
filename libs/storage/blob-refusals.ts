import { DomainError } from '#libs/kernel/errors.js';

/** Refusal of a content past its limit in bytes. */
export function blobTooLarge(maxBytes: number): DomainError {
  return new DomainError('too-large', 'too_large', `The content is larger than ${maxBytes} bytes.`);
}

/** The store is away or lets nobody in: worth a repeat, and something for the operator to look at. */
export class BlobStorageUnavailable extends DomainError {
  override readonly name = 'BlobStorageUnavailable';

  constructor(
    /** What the operator can do: one sentence or two, without secrets. */
    readonly advice: string,
    override readonly cause: unknown,
  ) {
    super(
      'unavailable',
      'blob_storage_unavailable',
      'The storage of files cannot be reached at the moment. Try again in a minute.',
      { retryAfterSeconds: 60 },
    );
  }
}
