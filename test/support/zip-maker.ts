import { crc32, deflateRawSync } from 'node:zlib';

/** One entry of a zip that is written byte by byte, so that each of its claims can be a lie. */
export interface MadeEntry {
  readonly name: string | Buffer;
  readonly content?: Buffer | string;
  /** Bytes as they lie in the archive; made from `content` when absent. */
  readonly packed?: Buffer;
  readonly method?: number;
  readonly flags?: number;
  /** Unix mode in the directory. */
  readonly mode?: number;
  readonly localName?: string | Buffer;
  readonly localMethod?: number;
  /** Claimed sizes and checksum, in both headers. */
  readonly claimedBytes?: number;
  readonly claimedPacked?: number;
  readonly claimedCrc?: number;
  /** Claimed by the local header alone. */
  readonly localBytes?: number;
  readonly extra?: Buffer;
  readonly attributes?: number;
  /** Points the directory at another place. */
  readonly offset?: number;
}

export interface MadeZip {
  readonly entries: readonly MadeEntry[];
  /** Claimed number of entries. */
  readonly count?: number;
  /** Writes a ZIP64 end record with this number of entries. */
  readonly zip64Count?: bigint;
  readonly prefix?: Buffer;
}

const UTF8 = 0x800;

/** A zip with exactly these bytes; without lies it is one that every program reads. */
export function makeZip(zip: MadeZip): Buffer {
  const parts: Buffer[] = zip.prefix ? [zip.prefix] : [];
  let offset = zip.prefix?.length ?? 0;
  const directory: Buffer[] = [];
  for (const entry of zip.entries) {
    const { local, central } = headersOf(entry, offset);
    const packed = packedOf(entry);
    parts.push(local, packed);
    offset += local.length + packed.length;
    directory.push(central);
  }
  const directoryBytes = directory.reduce((sum, part) => sum + part.length, 0);
  parts.push(...directory);
  if (zip.zip64Count !== undefined) parts.push(zip64End(zip.zip64Count, directoryBytes, offset));
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  const count = (zip.count ?? zip.entries.length) & 0xffff;
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directoryBytes, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, end]);
}

function zip64End(count: bigint, directoryBytes: number, directoryOffset: number): Buffer {
  const record = Buffer.alloc(56 + 20);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(count, 24);
  record.writeBigUInt64LE(count, 32);
  record.writeBigUInt64LE(BigInt(directoryBytes), 40);
  record.writeBigUInt64LE(BigInt(directoryOffset), 48);
  record.writeUInt32LE(0x07064b50, 56);
  record.writeBigUInt64LE(BigInt(directoryOffset + directoryBytes), 64);
  record.writeUInt32LE(1, 72);
  return record;
}

function headersOf(entry: MadeEntry, at: number): { local: Buffer; central: Buffer } {
  const name = Buffer.from(entry.name as string);
  const localName = entry.localName === undefined ? name : Buffer.from(entry.localName as string);
  const content = contentOf(entry);
  const packed = packedOf(entry);
  const method = methodOf(entry);
  const flags = entry.flags ?? UTF8;
  const crc = entry.claimedCrc ?? crc32(content);
  const bytes = entry.claimedBytes ?? content.length;
  const packedBytes = entry.claimedPacked ?? packed.length;
  const extra = entry.extra ?? Buffer.alloc(0);

  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(20, 4);
  local.writeUInt16LE(flags, 6);
  local.writeUInt16LE(entry.localMethod ?? method, 8);
  local.writeUInt32LE(crc, 14);
  local.writeUInt32LE(packedBytes, 18);
  local.writeUInt32LE(entry.localBytes ?? bytes, 22);
  local.writeUInt16LE(localName.length, 26);

  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE((3 << 8) | 20, 4);
  central.writeUInt16LE(20, 6);
  central.writeUInt16LE(flags, 8);
  central.writeUInt16LE(method, 10);
  central.writeUInt32LE(crc, 16);
  central.writeUInt32LE(packedBytes, 20);
  central.writeUInt32LE(bytes, 24);
  central.writeUInt16LE(name.length, 28);
  central.writeUInt16LE(extra.length, 30);
  central.writeUInt32LE((((entry.mode ?? 0) << 16) | (entry.attributes ?? 0)) >>> 0, 38);
  central.writeUInt32LE(entry.offset ?? at, 42);
  return {
    local: Buffer.concat([local, localName]),
    central: Buffer.concat([central, name, extra]),
  };
}

function contentOf(entry: MadeEntry): Buffer {
  return Buffer.from((entry.content ?? '') as string);
}

function methodOf(entry: MadeEntry): number {
  return entry.method ?? (entry.content === undefined && entry.packed === undefined ? 0 : 8);
}

function packedOf(entry: MadeEntry): Buffer {
  if (entry.packed) return entry.packed;
  return methodOf(entry) === 8 ? deflateRawSync(contentOf(entry)) : contentOf(entry);
}
