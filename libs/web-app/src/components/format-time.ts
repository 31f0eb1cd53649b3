const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * A moment as a person says it: "now", "12 min ago", "3 h ago" within the day, "yesterday 16:40", then "21 Nov", with
 * the year when it is another one. What is still to come is said the same way: "in 12 min", "tomorrow 16:40",
 * "21 Dec 16:40". `timeZone` is the IANA name the person chose.
 */
export function relativeTime(at: Date, now: Date, timeZone: string): string {
  const past = now.getTime() - at.getTime();
  if (past < 0) return timeToCome(at, now, timeZone);
  if (past < MINUTE) return 'now';
  if (past < HOUR) return `${Math.floor(past / MINUTE)} min ago`;
  const days = dayNumber(now, timeZone) - dayNumber(at, timeZone);
  if (days === 0) return `${Math.floor(past / HOUR)} h ago`;
  if (days === 1) return `yesterday ${clock(at, timeZone)}`;
  return shortDate(at, now, timeZone);
}

/** Ends are told to the minute, also when they are far: something has to be done before them. */
function timeToCome(at: Date, now: Date, timeZone: string): string {
  const left = at.getTime() - now.getTime();
  if (left < MINUTE) return 'now';
  if (left < HOUR) return `in ${Math.floor(left / MINUTE)} min`;
  const days = dayNumber(at, timeZone) - dayNumber(now, timeZone);
  if (days === 0) return `in ${Math.floor(left / HOUR)} h`;
  const day = days === 1 ? 'tomorrow' : shortDate(at, now, timeZone);
  return `${day} ${clock(at, timeZone)}`;
}

/** Day and month, with the year when it is not the running one. */
function shortDate(at: Date, now: Date, timeZone: string): string {
  const { day, month, year } = parts(at, timeZone);
  const text = `${Number(day)} ${MONTHS[Number(month) - 1]}`;
  return year === parts(now, timeZone).year ? text : `${text} ${year}`;
}

/** The whole moment, for a tip or a log: "Mon 30 Nov 2026, 21:14:05". */
export function exactTime(at: Date, timeZone: string): string {
  const { weekday, day, month, year, hour, minute, second } = parts(at, timeZone);
  return `${weekday} ${Number(day)} ${MONTHS[Number(month) - 1]} ${year}, ${hour}:${minute}:${second}`;
}

function clock(at: Date, timeZone: string): string {
  const { hour, minute } = parts(at, timeZone);
  return `${hour}:${minute}`;
}

/** The first and the last moment of a calendar day `yyyy-mm-dd` in a time zone, as ISO text. */
export function dayBounds(day: string, timeZone: string): { from: string; to: string } {
  const from = startOfDay(day, timeZone);
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 24 * HOUR).toISOString().slice(0, 10);
  return {
    from: new Date(from).toISOString(),
    to: new Date(startOfDay(next, timeZone) - 1).toISOString(),
  };
}

function startOfDay(day: string, timeZone: string): number {
  const wall = Date.parse(`${day}T00:00:00Z`);
  // Twice, because the offset at the guess may differ from the one at the day's begin.
  const once = wall - offsetAt(new Date(wall), timeZone);
  return wall - offsetAt(new Date(once), timeZone);
}

function offsetAt(at: Date, timeZone: string): number {
  const { year, month, day, hour, minute, second } = parts(at, timeZone);
  const wall = Date.UTC(+year, +month - 1, +day, +hour, +minute, +second);
  return wall - Math.floor(at.getTime() / 1000) * 1000;
}

function dayNumber(at: Date, timeZone: string): number {
  const { year, month, day } = parts(at, timeZone);
  return Math.floor(Date.UTC(+year, +month - 1, +day) / (24 * HOUR));
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const options: Intl.DateTimeFormatOptions = {
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  };
  let made: Intl.DateTimeFormat;
  try {
    made = new Intl.DateTimeFormat('en-GB', { ...options, timeZone });
  } catch {
    // A zone that this browser does not know yet.
    made = new Intl.DateTimeFormat('en-GB', options);
  }
  formats.set(timeZone, made);
  return made;
}

type Part = 'weekday' | 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

function parts(at: Date, timeZone: string): Record<Part, string> {
  const found = { weekday: '', year: '', month: '', day: '', hour: '', minute: '', second: '' };
  for (const { type, value } of formatFor(timeZone).formatToParts(at)) {
    if (type in found) found[type as Part] = value;
  }
  return found;
}
