import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { crc32, deflate, deflateSync, type ZlibOptions } from 'node:zlib';

const deflateInThread = promisify<Buffer, ZlibOptions, Buffer>(deflate);

const PACK_VERSION = 2;
const INDEX_MAGIC = Buffer.from([0xff, 0x74, 0x4f, 0x63]);
const INDEX_VERSION = 2;
/** Number of blobs among the types of objects. */
const BLOB = 3;
/** From the middle of a file, as its beginning is often a comment; in bytes. */
const SAMPLE_BYTES = 4 * 1024;
/** Small windows are made quickly, and tell of a sample what has to be known. */
const SAMPLED = { level: 1, windowBits: 12, memLevel: 5 };
/** Part of its size that a sample may keep for its file to be worth the time of compression. */
const WORTH_IT = 2 / 3;
/** Room for what is written around contents that are left as they are. */
const FRAME_BYTES = 1024;

export interface BlobPack {
  /** The bytes of the pack, in parts. */
  readonly pack: readonly Buffer[];
  /** The index that git looks objects up in. */
  readonly index: Buffer;
  /** Ends the pack and names its files. */
  readonly checksum: string;
  /** Git's ids of the contents, in their order. */
  readonly oids: readonly string[];
}

interface Entry {
  readonly oid: Buffer;
  readonly crc: number;
  /** In the pack, in bytes. */
  readonly offset: number;
}

/**
 * A pack that holds each content whole as a blob, and its index: version 2 of both, as `gitformat-pack` describes them.
 * The contents are different ones, and less than 2 GiB together. Compression is the lightest, and what hardly compresses
 * is left as it is.
 */
export async function packOf(contents: readonly Buffer[]): Promise<BlobPack> {
  const bodies = await Promise.all(contents.map(compressed));
  const pack: Buffer[] = [
    Buffer.concat([Buffer.from('PACK'), uint32(PACK_VERSION), uint32(contents.length)]),
  ];
  const entries: Entry[] = [];
  let offset = pack[0]!.length;
  for (const [at, content] of contents.entries()) {
    const head = entryHead(content.length);
    const body = bodies[at]!;
    entries.push({ oid: oidOf(content), crc: crc32(body, crc32(head)), offset });
    pack.push(head, body);
    offset += head.length + body.length;
  }
  const checksum = sha1(...pack);
  return {
    pack: [...pack, checksum],
    index: indexOf(entries, checksum),
    checksum: checksum.toString('hex'),
    oids: entries.map(({ oid }) => oid.toString('hex')),
  };
}

/** How many ids begin with a byte up to each one, then ids, checksums and offsets in the order of the ids. */
function indexOf(entries: readonly Entry[], checksum: Buffer): Buffer {
  const sorted = [...entries].sort((a, b) => Buffer.compare(a.oid, b.oid));
  const upTo = Array.from({ length: 256 }, () => 0);
  for (const { oid } of sorted) upTo[oid[0]!]! += 1;
  for (let byte = 1; byte < 256; byte += 1) upTo[byte]! += upTo[byte - 1]!;
  const parts = [
    INDEX_MAGIC,
    uint32(INDEX_VERSION, ...upTo),
    ...sorted.map(({ oid }) => oid),
    uint32(...sorted.map(({ crc }) => crc)),
    uint32(...sorted.map(({ offset }) => offset)),
    checksum,
  ];
  return Buffer.concat([...parts, sha1(...parts)]);
}

function oidOf(content: Buffer): Buffer {
  return sha1(Buffer.from(`blob ${content.length}\0`), content);
}

/** Type and size: four bits of the size in the first byte, seven in each further one, lowest first. */
function entryHead(size: number): Buffer {
  const bytes: number[] = [];
  let byte = (BLOB << 4) | (size & 0x0f);
  for (let rest = size >>> 4; rest > 0; rest >>>= 7) {
    bytes.push(byte | 0x80);
    byte = rest & 0x7f;
  }
  return Buffer.from([...bytes, byte]);
}

/** Short work is done at once, as another thread costs more than it saves. */
async function compressed(content: Buffer): Promise<Buffer> {
  const start = Math.max(0, Math.floor((content.length - SAMPLE_BYTES) / 2));
  const sample = content.subarray(start, start + SAMPLE_BYTES);
  const hardlyShrinks = deflateSync(sample, SAMPLED).length > sample.length * WORTH_IT;
  const chunkSize = content.length + FRAME_BYTES;
  return hardlyShrinks
    ? deflateSync(content, { level: 0, chunkSize })
    : deflateInThread(content, { level: 1, chunkSize });
}

function sha1(...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** In the order of bytes that the formats have. */
function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
}
