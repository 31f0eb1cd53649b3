import { toAscii } from '#libs/kernel/ascii.js';

const RESERVED = new Set(
  (
    'www api app apps admin mail smtp imap ftp git static assets cdn docs help support status blog login account ' +
    'oauth mcp live preview artifacts localhost ns dns root'
  ).split(' '),
);
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const LONGEST = 48;

/**
 * Name of a live page: the name of the artifact in small letters and four drawn signs.
 * @param draw a whole number from 0 to below its argument
 */
export function drawSubdomain(name: string, draw: (below: number) => number): string {
  const slug = toAscii(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '');
  const start = slug.length < 3 || RESERVED.has(slug) ? ['page', slug].filter(Boolean).join('-') : slug;
  const end = Array.from({ length: 4 }, () => LETTERS[draw(LETTERS.length)]).join('');
  return `${start}-${end}`;
}
