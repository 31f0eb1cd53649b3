import type { FileHandle } from 'node:fs/promises';
import { type Entry, fromFdPromise, getFileNameLowLevel, type LocalFileHeader, type ZipFile } from 'yauzl';
import type { ArchiveLimits, EntryRules } from '../../application/ports/archive-reader.js';
import { foldedPath } from '../../domain/file-path.js';
import { archiveRefused, entryRefused } from './zip-refusal.js';

/** A file of an archive whose headers were checked; its sizes are still only claims. */
export interface ZipMember {
  readonly name: string;
  readonly dataStart: number;
  readonly compressedBytes: number;
  /** What the directory says that it unpacks to. */
  readonly claimedBytes: number;
  readonly crc32: number;
  readonly deflated: boolean;
}

interface Region {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Longer than any path that is stored, shorter than what would fill the memory. */
const NAME_BYTES = 4_096;
const STORED = 0;
const DEFLATED = 8;
const END_OF_DIRECTORY = 0x06054b50;
const END_OF_DIRECTORY_64 = 0x06064b50;
const UTF8_NAME = 0x800;
const ENCRYPTED = 0x1;
const SIZES_FOLLOW = 0x8;
const WINDOWS_LINK = 0x400;
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;

/**
 * The files of a zip in the order of its directory, after every header was held against every other. Nothing is inflated.
 * @throws DomainError `invalid` that names the first entry to blame.
 */
export async function readZipDirectory(
  file: FileHandle,
  limits: ArchiveLimits,
  rules: EntryRules,
): Promise<ZipMember[]> {
  const zip = await opened(file);
  if (zip.entryCount > limits.maxEntries) {
    throw archiveRefused(`it has ${zip.entryCount} entries; the limit is ${limits.maxEntries}`);
  }
  const directoryStart = cursorOf(zip);
  const names = new TakenNames();
  const regions: Region[] = [];
  const members: ZipMember[] = [];
  let claimed = 0;
  for await (const entry of entriesOf(zip)) {
    const name = nameOf(entry);
    const folder = name.endsWith('/');
    const path = folder ? name.slice(0, -1) : name;
    checkEntry(entry, name, path, folder, rules);
    names.take(path, folder, name);
    const local = await localHeader(zip, entry, name);
    checkAgreement(entry, local, name);
    regions.push({
      name,
      start: entry.relativeOffsetOfLocalHeader,
      end: local.fileDataStart + entry.compressedSize,
    });
    if (folder) continue;
    if (rules.skipReasonOf(path) === null) claimed += entry.uncompressedSize;
    if (claimed > limits.maxInflatedBytes) {
      throw entryRefused(name, `unpacks to more than the ${limits.maxInflatedBytes} bytes that all may have`);
    }
    members.push({
      name: path,
      dataStart: local.fileDataStart,
      compressedBytes: entry.compressedSize,
      claimedBytes: entry.uncompressedSize,
      crc32: entry.crc32,
      deflated: entry.compressionMethod === DEFLATED,
    });
  }
  await checkEnd(file, zip);
  checkOverlaps(regions, directoryStart);
  return members;
}

async function opened(file: FileHandle): Promise<ZipFile> {
  try {
    return await fromFdPromise(file.fd, { autoClose: false, decodeStrings: false });
  } catch {
    throw archiveRefused('it is no complete zip file');
  }
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  const entries = zip.eachEntry();
  let last = '';
  for (;;) {
    let next: IteratorResult<Entry>;
    try {
      next = await entries.next();
    } catch (error) {
      const why = /encryption/.test((error as Error).message)
        ? 'it holds an encrypted entry'
        : 'its directory is damaged';
      throw archiveRefused(last ? `${why} after "${last.slice(0, 100)}"` : why);
    }
    if (next.done) return;
    last = next.value.fileNameRaw.toString('latin1').replace(/[^\x20-\x7e]/g, '?');
    yield next.value;
  }
}

function nameOf(entry: Entry): string {
  const raw = entry.fileNameRaw;
  if (raw.length > NAME_BYTES) throw entryRefused(raw.toString('latin1'), 'has a name that is too long');
  const unicodeField = entry.extraFields.some((field) => field.id === 0x7075);
  if (unicodeField) return getFileNameLowLevel(entry.generalPurposeBitFlag, raw, entry.extraFields, true);
  try {
    // Many programs write UTF-8 without saying so.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    if (entry.generalPurposeBitFlag & UTF8_NAME)
      throw entryRefused(raw.toString('latin1'), 'has a name that is not valid UTF-8');
    return getFileNameLowLevel(0, raw, [], true);
  }
}

function checkEntry(entry: Entry, name: string, path: string, folder: boolean, rules: EntryRules): void {
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE;
  if (type === 0o120000 || entry.externalFileAttributes & WINDOWS_LINK)
    throw entryRefused(name, 'is a symbolic link');
  if (type !== 0 && type !== REGULAR && type !== FOLDER)
    throw entryRefused(name, 'is a device or another special file');
  if (type !== 0 && folder !== (type === FOLDER))
    throw entryRefused(name, 'is called a file and a folder at once');
  const problem = rules.problemOf(path.normalize('NFC'));
  if (problem !== null) throw entryRefused(name, problem);
  if (entry.generalPurposeBitFlag & ENCRYPTED) throw entryRefused(name, 'is encrypted');
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    throw entryRefused(name, `is packed by method ${entry.compressionMethod}; only deflate is read`);
  }
  if (folder && (entry.uncompressedSize > 0 || entry.compressedSize > 2))
    throw entryRefused(name, 'is a folder that has content');
}

async function localHeader(zip: ZipFile, entry: Entry, name: string): Promise<LocalFileHeader> {
  try {
    return await new Promise<LocalFileHeader>((done, fail) => {
      zip.readLocalFileHeader(entry, (error, header) => (error ? fail(error) : done(header)));
    });
  } catch {
    throw entryRefused(name, 'lies outside the file, which may be cut off');
  }
}

/** A reader that believes the directory and one that believes the local header must see the same file. */
function checkAgreement(entry: Entry, local: LocalFileHeader, name: string): void {
  if (!local.fileName.equals(entry.fileNameRaw))
    throw entryRefused(name, 'has another name in its own header than in the directory');
  const sizesAgree =
    (local.generalPurposeBitFlag & SIZES_FOLLOW) !== 0 ||
    ((local.compressedSize === entry.compressedSize || local.compressedSize === 0xffffffff) &&
      (local.uncompressedSize === entry.uncompressedSize || local.uncompressedSize === 0xffffffff));
  if (
    local.compressionMethod !== entry.compressionMethod ||
    (local.generalPurposeBitFlag & ENCRYPTED) !== 0 ||
    !sizesAgree
  )
    throw entryRefused(name, 'has another size or packing in its own header than in the directory');
}

/** A directory that goes on after the number of entries it claims hides the rest from whoever believes the number. */
async function checkEnd(file: FileHandle, zip: ZipFile): Promise<void> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, cursorOf(zip));
  const signature = bytesRead === 4 ? buffer.readUInt32LE(0) : 0;
  if (signature !== END_OF_DIRECTORY && signature !== END_OF_DIRECTORY_64)
    throw archiveRefused(`its directory does not end after the ${zip.entryCount} entries that it claims`);
}

function checkOverlaps(regions: Region[], directoryStart: number): void {
  regions.sort((a, b) => a.start - b.start);
  let end = 0;
  for (const region of regions) {
    if (region.start < end || region.end > directoryStart)
      throw entryRefused(region.name, 'overlaps another part of the zip');
    end = region.end;
  }
}

/** Where the next record of the directory begins. The library keeps it on the object, though its types do not tell. */
function cursorOf(zip: ZipFile): number {
  return (zip as unknown as { readonly readEntryCursor: number }).readEntryCursor;
}

/** Names that would meet on some disk: equal without regard to case and Unicode form, or a file that is a folder too. */
class TakenNames {
  private readonly files = new Map<string, string>();
  private readonly folders = new Map<string, string>();
  private readonly listed = new Set<string>();

  take(path: string, folder: boolean, name: string): void {
    const key = foldedPath(path);
    const before = this.files.get(key) ?? (folder ? null : (this.folders.get(key) ?? null));
    if (before !== null) throw entryRefused(name, sameName(path, before));
    if (folder && this.listed.has(key)) throw entryRefused(name, 'is there twice');
    this.listed.add(key);
    const parts = path.split('/');
    for (let depth = 1; depth < parts.length; depth++) this.open(parts.slice(0, depth).join('/'), name);
    if (folder) this.open(path, name);
    else this.files.set(key, path);
  }

  private open(path: string, name: string): void {
    const key = foldedPath(path);
    const file = this.files.get(key);
    if (file !== undefined) throw entryRefused(name, `needs a folder where "${file}" is a file`);
    const other = this.folders.get(key);
    if (other !== undefined && other.normalize('NFC') !== path.normalize('NFC'))
      throw entryRefused(name, sameName(path, other));
    this.folders.set(key, path);
  }
}

function sameName(path: string, before: string): string {
  return path === before
    ? 'is there twice'
    : `has the same name as "${before}" where case or Unicode form do not count`;
}
