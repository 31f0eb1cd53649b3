import { type Dirent, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { codeOf, failed } from '../core/failure.js';
import type { PushFile } from './push-file.js';

/** Folders and files that no artifact holds. They are not even looked into. */
const NEVER = new Set([
  '.git',
  'node_modules',
  '__MACOSX',
  '.DS_Store',
  'Thumbs.db',
  '.loupe',
  '.loupe.yaml',
]);
/** Secrets stay on the machine: the server would refuse to keep them, but they should not travel either. */
const SECRET = /^\.env(\..*)?$/;

export interface Collected {
  readonly files: readonly PushFile[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

/**
 * Regular files of a folder, or the one file that is named, in path order. `.gitignore` files hold, also nested ones.
 * @throws Failure (1) for a link, a device and for names that the server could not store
 */
export function collectFiles(path: string): Collected {
  const entry = statOf(path);
  if (entry.isSymbolicLink()) throw linkRefused(path);
  if (entry.isFile()) {
    const name = basename(path).normalize('NFC');
    return { files: checkedNames([{ path: name, content: { kind: 'disk', absolute: path } }]), skipped: [] };
  }
  if (!entry.isDirectory()) throw noRegularFile(path);
  const found: PushFile[] = [];
  const skipped: { path: string; reason: string }[] = [];
  walk(path, '', [], found, skipped);
  return { files: checkedNames(found), skipped };
}

/** Rules of one `.gitignore`, which hold below its folder. */
interface Rules {
  readonly folder: string;
  readonly rules: Ignore;
}

function walk(
  root: string,
  folder: string,
  above: readonly Rules[],
  found: PushFile[],
  skipped: { path: string; reason: string }[],
): void {
  const own = rulesOf(join(root, folder), folder);
  const rules = own ? [...above, own] : above;
  for (const entry of entriesOf(join(root, folder))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (NEVER.has(entry.name) || isIgnored(rules, path, entry.isDirectory())) continue;
    if (entry.isSymbolicLink()) throw linkRefused(path);
    if (entry.isDirectory()) walk(root, path, rules, found, skipped);
    else if (!entry.isFile()) throw noRegularFile(path);
    else if (SECRET.test(entry.name)) skipped.push({ path, reason: 'may hold secrets' });
    else found.push({ path: path.normalize('NFC'), content: { kind: 'disk', absolute: join(root, path) } });
  }
}

function rulesOf(absolute: string, folder: string): Rules | null {
  try {
    return { folder, rules: ignore().add(readFileSync(join(absolute, '.gitignore'), 'utf8')) };
  } catch {
    return null;
  }
}

/** As git: the innermost file that says something decides. */
function isIgnored(rules: readonly Rules[], path: string, isFolder: boolean): boolean {
  for (const { folder, rules: own } of [...rules].reverse()) {
    const below = folder === '' ? path : path.slice(folder.length + 1);
    const { ignored, unignored } = own.test(isFolder ? `${below}/` : below);
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}

function entriesOf(absolute: string): Dirent[] {
  try {
    return readdirSync(absolute, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw failed(
      `cannot look into ${absolute} (${codeOf(error)})`,
      'make it readable, or list it in .gitignore',
    );
  }
}

function statOf(path: string) {
  try {
    return lstatSync(path);
  } catch (error) {
    throw failed(`cannot find ${path} (${codeOf(error)})`, 'name a file or a folder');
  }
}

/** What would be refused anyway is refused before anything is sent. */
function checkedNames(files: PushFile[]): PushFile[] {
  const seen = new Map<string, string>();
  for (const { path } of files) {
    if (/[\\:\p{Cc}\p{Cf}]/u.test(path))
      throw failed(`${JSON.stringify(path)} has a sign in its name that no artifact may have`, 'rename it');
    if (path.split('/').some((part) => /[. ]$/.test(part)))
      throw failed(`${path} has a name that ends in a dot or a space`, 'rename it');
    const key = path.toLowerCase();
    const other = seen.get(key);
    if (other !== undefined) {
      throw failed(`${other} and ${path} have one name for systems that see no case`, 'rename one of them');
    }
    seen.set(key, path);
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function linkRefused(path: string) {
  return failed(`${path} is a symbolic link`, 'put the file itself there, or list the link in .gitignore');
}

function noRegularFile(path: string) {
  return failed(`${path} is no regular file`, 'remove it, or list it in .gitignore');
}
