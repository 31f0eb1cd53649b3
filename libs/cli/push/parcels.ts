import type { OpenPush } from './pending-push.js';
import type { ManifestRow, PushFile } from './push-file.js';

export interface WantedFile {
  readonly row: ManifestRow;
  readonly file: PushFile;
}

/** Files that travel in one request. */
export interface Parcel {
  readonly files: readonly WantedFile[];
  /** Whether the form for many files is used. */
  readonly together: boolean;
}

/**
 * Less than servers take at once, so that a slow line brings a request to its end in time and a cut costs little; in bytes.
 */
const TOGETHER_BYTES = 2 * 1024 * 1024;
/** Requests that are on their way at the same time. */
export const AT_ONCE = 4;

/**
 * Sorts what is missing into requests: small files together, where the server takes them so, each large one alone. The
 * first ones are smaller by steps. Those that begin together then end one after the other, and the line is busy while the
 * server stores what one of them brought.
 */
export function parcelsOf(wanted: readonly WantedFile[], batch: OpenPush['batch']): Parcel[] {
  const alone = (one: WantedFile): Parcel => ({ files: [one], together: false });
  if (!batch) return wanted.map(alone);
  const mostBytes = Math.min(batch.bytes, TOGETHER_BYTES);
  const mostOfOne = Math.min(batch.fileBytes, mostBytes);
  const large = wanted.filter(({ row }) => row.bytes > mostOfOne);
  const parcels: WantedFile[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const one of wanted) {
    if (one.row.bytes > mostOfOne) continue;
    const most = mostBytes * Math.min(1, parcels.length / AT_ONCE);
    if (bytes + one.row.bytes > most || parcels.at(-1)!.length >= batch.files) {
      parcels.push([]);
      bytes = 0;
    }
    parcels.at(-1)!.push(one);
    bytes += one.row.bytes;
  }
  return [...large.map(alone), ...parcels.map((files) => ({ files, together: true }))];
}
