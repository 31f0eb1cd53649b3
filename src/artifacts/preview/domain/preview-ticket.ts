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
  /**
   * Who got it; it holds while they may read the artifact. Null for somebody without a right of their own: then it holds
   * while the artifact is public.
   */
  readonly personId: string | null;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The ticket as text of `[A-Za-z0-9_-]`, not signed yet.
 * @param seal hides who got it: scripts of the artifact see their address
 */
export function encodeTicket(ticket: PreviewTicket, seal: (personId: string) => string): string {
  const { artifactId, version, previewEpoch, expiresAt, personId } = ticket;
  const holder = personId === null ? 0 : seal(personId);
  const fields = [artifactId, version ?? 0, previewEpoch, expiresAt.getTime(), holder];
  return Buffer.from(JSON.stringify(fields)).toString('base64url');
}

/**
 * Null for anything that `encodeTicket` did not make.
 * @param open the other way of `seal`; null when it cannot
 */
export function decodeTicket(text: string, open: (sealed: string) => string | null): PreviewTicket | null {
  let fields: unknown;
  try {
    fields = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
  if (!Array.isArray(fields) || fields.length !== 5) return null;
  const [artifactId, version, previewEpoch, expiresAt, holder] = fields as unknown[];
  if (typeof artifactId !== 'string' || !UUID.test(artifactId)) return null;
  if (![version, previewEpoch, expiresAt].every((field) => Number.isSafeInteger(field))) return null;
  const personId = typeof holder === 'string' ? open(holder) : null;
  if (personId === null && holder !== 0) return null;
  return {
    artifactId,
    version: version === 0 ? null : (version as number),
    previewEpoch: previewEpoch as number,
    expiresAt: new Date(expiresAt as number),
    personId,
  };
}
