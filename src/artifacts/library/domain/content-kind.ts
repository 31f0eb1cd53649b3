import { isUtf8 } from 'node:buffer';
import type { FileKind } from './artifact-types.js';

/** Bytes at the start of a file that the types are told by. */
export const HEAD_BYTES = 4_096;

/** Marks of programs among the types told by first bytes; files of these are never stored. */
export const EXECUTABLE = 'application/x-executable';
export const SHEBANG = 'text/x-shebang';

export const OCTETS = 'application/octet-stream';

interface Signature {
  readonly type: string;
  readonly at?: number;
  readonly bytes: string;
  readonly also?: (head: Buffer) => boolean;
}

const IMAGES: readonly Signature[] = [
  { type: 'image/png', bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', bytes: '\xff\xd8\xff' },
  { type: 'image/gif', bytes: 'GIF87a' },
  { type: 'image/gif', bytes: 'GIF89a' },
  { type: 'image/webp', bytes: 'RIFF', also: (head) => at(head, 8, 'WEBP') },
];

const PROGRAMS = [
  '\x7fELF',
  'MZ',
  '\xfe\xed\xfa\xce',
  '\xfe\xed\xfa\xcf',
  '\xce\xfa\xed\xfe',
  '\xcf\xfa\xed\xfe',
  '\xca\xfe\xba\xbe',
];

const MP4_BRANDS = /^(isom|iso[2-9]|mp4[1-9]|avc1|dash|M4V |MSNV|f4v )$/;

const BINARIES: readonly Signature[] = [
  { type: 'font/woff', bytes: 'wOFF' },
  { type: 'font/woff2', bytes: 'wOF2' },
  { type: 'font/otf', bytes: 'OTTO' },
  { type: 'font/ttf', bytes: '\x00\x01\x00\x00' },
  { type: 'font/ttf', bytes: 'true' },
  { type: 'image/avif', at: 4, bytes: 'ftypavif' },
  { type: 'image/avif', at: 4, bytes: 'ftypavis' },
  {
    type: 'video/mp4',
    at: 4,
    bytes: 'ftyp',
    also: (head) => MP4_BRANDS.test(head.toString('latin1', 8, 12)),
  },
  { type: 'video/webm', bytes: '\x1a\x45\xdf\xa3', also: (head) => head.subarray(0, 64).includes('webm') },
  { type: 'audio/mpeg', bytes: 'ID3' },
  { type: 'audio/mpeg', bytes: '\xff', also: (head) => [0xfb, 0xf3, 0xf2].includes(head[1] ?? 0) },
  { type: 'audio/ogg', bytes: 'OggS' },
  { type: 'audio/wav', bytes: 'RIFF', also: (head) => at(head, 8, 'WAVE') },
  { type: 'application/pdf', bytes: '%PDF-' },
  { type: 'image/x-icon', bytes: '\x00\x00\x01\x00' },
  { type: 'application/wasm', bytes: '\x00asm' },
  { type: 'application/zip', bytes: 'PK\x03\x04' },
  { type: 'application/zip', bytes: 'PK\x05\x06' },
];

const TEXT_TYPES: ReadonlyMap<string, string> = new Map([
  ['html', 'text/html'],
  ['htm', 'text/html'],
  ['css', 'text/css'],
  ...['js', 'mjs', 'cjs', 'jsx', 'ts', 'tsx'].map((end) => [end, 'text/javascript'] as const),
  ['svg', 'image/svg+xml'],
  ['json', 'application/json'],
  ['md', 'text/markdown'],
  ['markdown', 'text/markdown'],
  ['csv', 'text/csv'],
  ['xml', 'application/xml'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
]);

/** Tells what bytes are while they flow past; `end` gives the answer (`artifacts.md` 3.4 ContentKind). */
export class ContentSniffer {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  private head: Buffer = Buffer.alloc(0);
  private textual = true;

  push(chunk: Buffer): void {
    if (this.head.length < HEAD_BYTES) {
      this.head = Buffer.concat([this.head, chunk.subarray(0, HEAD_BYTES - this.head.length)]);
    }
    if (!this.textual) return;
    try {
      if (chunk.includes(0)) this.textual = false;
      else this.decoder.decode(chunk, { stream: true });
    } catch {
      this.textual = false;
    }
  }

  end(): ContentKind {
    if (this.textual) {
      try {
        this.decoder.decode();
      } catch {
        this.textual = false;
      }
    }
    return kindOf(this.head, this.textual);
  }
}

/** What bytes are, whatever their name says. */
interface ContentKind {
  readonly kind: FileKind;
  readonly sniffedType: string | null;
}

function kindOf(head: Buffer, textual: boolean): ContentKind {
  const image = signatureOf(IMAGES, head);
  if (image) return { kind: 'image', sniffedType: image };
  if (textual) return { kind: 'text', sniffedType: at(head, 0, '#!') ? SHEBANG : null };
  const program = PROGRAMS.some((bytes) => at(head, 0, bytes));
  return { kind: 'binary', sniffedType: program ? EXECUTABLE : signatureOf(BINARIES, head) };
}

/** Kind and type of bytes that are all at hand. */
export function sniff(content: Uint8Array): ContentKind {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return kindOf(bytes.subarray(0, HEAD_BYTES), !bytes.includes(0) && isUtf8(bytes));
}

/** Content type of a file: for images and binaries by the first bytes, for texts by the name. */
export function contentTypeOf(
  path: string,
  blob: { readonly kind: FileKind; readonly sniffedType: string | null },
): string {
  if (blob.kind !== 'text') return blob.sniffedType === EXECUTABLE ? OCTETS : (blob.sniffedType ?? OCTETS);
  return TEXT_TYPES.get(extensionOf(path)) ?? 'text/plain';
}

/** Lower-case end of the name after its last dot; empty when it has none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

function signatureOf(signatures: readonly Signature[], head: Buffer): string | null {
  const found = signatures.find(
    ({ bytes, at: offset = 0, also }) => at(head, offset, bytes) && (also?.(head) ?? true),
  );
  return found?.type ?? null;
}

function at(head: Buffer, offset: number, bytes: string): boolean {
  return head.toString('latin1', offset, offset + bytes.length) === bytes;
}
