const MINUTES = 30;

/** When an upload runs out: 30 minutes after it was reserved or last written. */
export function uploadExpiry(from: Date): Date {
  return new Date(from.getTime() + MINUTES * 60_000);
}

/** Under which bytes of uploads lie in the blob store until an artifact was made of them. */
export const UPLOADS_PREFIX = 'artifacts/uploads/';

/** Each PUT gets a name of its own, so that a late one never changes bytes that are being read. */
export function uploadKey(uploadId: string, name: string): string {
  return `${UPLOADS_PREFIX}${uploadId}/${name}`;
}

/** The upload that a key belongs to. */
export function uploadOfKey(key: string): string {
  return key.slice(UPLOADS_PREFIX.length).split('/')[0]!;
}
