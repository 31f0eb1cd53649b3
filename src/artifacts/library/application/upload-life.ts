const MINUTES = 30;

/** When an upload runs out: 30 minutes after it was reserved or last written. */
export function uploadExpiry(from: Date): Date {
  return new Date(from.getTime() + MINUTES * 60_000);
}
