import { fromHtml } from 'hast-util-from-html';
import { toHtml } from 'hast-util-to-html';
import { removeActive } from './active-content.js';

const SUSPICIOUS =
  /<\s*(?:[\w-]+:)?(?:script|foreignObject|iframe|embed|object|set|animate)\b|\bon\w+\s*=|javascript:|<!ENTITY/i;

/** An SVG without script. One that has none stays as it is, byte for byte. */
export function cleanedSvg(bytes: Buffer): Buffer {
  const text = bytes.toString('utf8');
  if (!SUSPICIOUS.test(text)) return bytes;
  const tree = fromHtml(text, { fragment: true });
  removeActive(tree);
  return Buffer.from(toHtml(tree, { space: 'svg', closeEmptyElements: true }));
}
