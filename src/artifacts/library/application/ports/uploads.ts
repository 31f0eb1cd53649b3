export type UploadPurpose = 'source' | 'asset';
export type UploadState = 'reserved' | 'uploaded' | 'consumed' | 'expired';

/** A place for one file that an agent or a person sends by HTTP PUT (`artifacts.md` 7.5). */
export interface Upload {
  readonly id: string;
  readonly projectId: string;
  readonly personId: string;
  /** The connection that reserved it; null when a person did on the web. */
  readonly connectionId: string | null;
  readonly purpose: UploadPurpose;
  readonly state: UploadState;
  readonly bytes: number | null;
  /** Key of the bytes in the blob store. */
  readonly blobKey: string | null;
  readonly expiresAt: Date;
  /** The artifact that was made of it. */
  readonly consumedBy: string | null;
}

export type NewUpload = Pick<
  Upload,
  'id' | 'projectId' | 'personId' | 'connectionId' | 'purpose' | 'expiresAt'
>;

/** What came by a PUT. */
export interface ReceivedBytes {
  readonly bytes: number;
  readonly blobKey: string;
}

/**
 * Reserved uploads and what came for them; their bytes lie in the blob store until an artifact is made of them.
 */
export abstract class Uploads {
  /** @returns the secret of its address; only its keyed hash is kept. */
  abstract reserve(upload: NewUpload, at: Date): Promise<string>;
  abstract find(uploadId: string): Promise<Upload | null>;
  /** Null for a wrong id or secret alike. */
  abstract bySecret(uploadId: string, secret: string): Promise<Upload | null>;
  /**
   * Notes the bytes of a PUT while the upload waits for some. @returns the key of bytes that they replace, null when
   * there were none, and false when the upload was used up or ran out meanwhile.
   */
  abstract receive(
    uploadId: string,
    received: ReceivedBytes,
    expiresAt: Date,
    at: Date,
  ): Promise<string | null | false>;
  /** Uses it up for an artifact, once. False when another call was first, or it ran out. Needs a running unit of work. */
  abstract consume(uploadId: string, blobKey: string, artifactId: string, at: Date): Promise<boolean>;
  /** Marks what ran out by `at`, or what is of a person, project or connection. @returns keys of bytes to delete. */
  abstract expire(which: { readonly at: Date } | UploadsOf): Promise<string[]>;
  /** Deletes what was used up or ran out before `before`. @returns how many. */
  abstract purge(before: Date): Promise<number>;
}

/** At least one of the ids. */
export interface UploadsOf {
  readonly personId?: string;
  readonly projectId?: string;
  readonly connectionId?: string;
}
