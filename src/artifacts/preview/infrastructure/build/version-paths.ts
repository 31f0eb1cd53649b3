import { posix } from 'node:path';
import type { BuildSource } from './build-source.js';

/** Ends of files that hold code, in the order in which an import without an end tries them. */
export const CODE = ['.tsx', '.ts', '.jsx', '.js', '.mjs', '.cjs', '.mts', '.cts'];

const TRIED = ['', ...CODE, '.json', '.css', ...CODE.map((end) => `/index${end}`)];

/** The file of the version that an import or an address names, or null. */
export function localPath(address: string, importer: string, source: BuildSource): string | null {
  let path: string;
  if (address.startsWith('/')) path = address.slice(1);
  else if (/^[@~]\//.test(address)) path = `src/${address.slice(2)}`;
  else path = posix.join(posix.dirname(importer), address);
  const places = address.startsWith('/') ? [path, `public/${path}`] : [path];
  for (const place of places) {
    for (const end of TRIED) if (source.has(place + end)) return place + end;
    // TypeScript sources import one another under the name that the compiler gives them.
    const compiled = /^(.*)\.(m|c)?js(x)?$/.exec(place);
    for (const end of compiled ? ['.ts', '.tsx', '.mts'] : [])
      if (source.has(`${compiled![1]}${end}`)) return `${compiled![1]}${end}`;
  }
  return null;
}
