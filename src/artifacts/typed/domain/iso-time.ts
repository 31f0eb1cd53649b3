const FORM =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?)?)?$/i;

/**
 * Milliseconds since 1970 of an ISO 8601 time: a year, month, day, or day with time. A time without an offset is UTC.
 * @returns null for text of another form, and for days and hours that do not exist
 */
export function isoTime(text: string): number | null {
  const parts = FORM.exec(text);
  if (!parts) return null;
  const [year, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => (part === undefined ? undefined : Number(part)));
  const fraction = Math.floor(Number(`0.${parts[7] ?? 0}`) * 1000);
  const time = new Date(0);
  time.setUTCFullYear(year!, month - 1, day);
  const exists = time.getUTCMonth() === month - 1 && time.getUTCDate() === day;
  if (!exists || hour > 23 || minute > 59 || second > 59) return null;
  const offset = offsetMinutes(parts[8]);
  return offset === null
    ? null
    : time.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000 + fraction;
}

function offsetMinutes(zone: string | undefined): number | null {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || 0);
  if (hours > 23 || minutes > 59) return null;
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes);
}
