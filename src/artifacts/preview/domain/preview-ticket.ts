/** Life of a ticket, in milliseconds. */
export const TICKET_LIFE_MS = 12 * 60 * 60 * 1000;

/** The right to see the files of one artifact, and nothing else (`artifacts.md` 10.1). */
export interface PreviewTicket {
  readonly artifactId: string;
  /** Null for the latest version, whichever that is. */
  readonly version: number | null;
  /** The artifact raises its own when access narrows; tickets of an older one are dead. */
  readonly previewEpoch: number;
  readonly expiresAt: Date;
  /** Given to somebody without a right of their own; it holds while the artifact is public. */
  readonly byPublicLink: boolean;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The ticket as text of `[A-Za-z0-9_-]`, not signed yet. */
export function encodeTicket(ticket: PreviewTicket): string {
  const { artifactId, version, previewEpoch, expiresAt, byPublicLink } = ticket;
  const fields = [artifactId, version ?? 0, previewEpoch, expiresAt.getTime(), byPublicLink ? 1 : 0];
  return Buffer.from(JSON.stringify(fields)).toString('base64url');
}

/** Null for anything that `encodeTicket` did not make. */
export function decodeTicket(text: string): PreviewTicket | null {
  let fields: unknown;
  try {
    fields = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
  if (!Array.isArray(fields) || fields.length !== 5) return null;
  const [artifactId, version, previewEpoch, expiresAt, byPublicLink] = fields as unknown[];
  if (typeof artifactId !== 'string' || !UUID.test(artifactId)) return null;
  if (![version, previewEpoch, expiresAt].every((field) => Number.isSafeInteger(field))) return null;
  return {
    artifactId,
    version: version === 0 ? null : (version as number),
    previewEpoch: previewEpoch as number,
    expiresAt: new Date(expiresAt as number),
    byPublicLink: byPublicLink === 1,
  };
}
