import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const DAY_MILLISECONDS = 86_400_000;
const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const COMMON_NAME = '550403';
const BASIC_CONSTRAINTS = '551d13';
const SUBJECT_ALT_NAME = '551d11';

export interface Certified {
  /** Both in PEM. */
  readonly cert: string;
  readonly key: string;
}

/** Makes certificates for servers of a test, so that they are verified as those of strangers are. */
export class TestAuthority {
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  /** PEM, for `NODE_EXTRA_CA_CERTS`. */
  readonly cert: string;

  constructor(private readonly name = 'Authority of the tests') {
    this.cert = certificate({
      subject: name,
      issuer: name,
      publicKey: this.keys.publicKey,
      signedBy: this.keys.privateKey,
      extension: extension(BASIC_CONSTRAINTS, sequence(tlv(0x01, Buffer.from([0xff])))),
      days: 1,
    });
  }

  /** A certificate for a host name; with negative `days` its time is over. */
  issue(host: string, { days = 1 }: { readonly days?: number } = {}): Certified {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const cert = certificate({
      subject: host,
      issuer: this.name,
      publicKey,
      signedBy: this.keys.privateKey,
      extension: extension(SUBJECT_ALT_NAME, sequence(tlv(0x82, Buffer.from(host)))),
      days,
    });
    return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
  }
}

interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly signedBy: KeyObject;
  readonly extension: Buffer;
  readonly days: number;
}

/** X.509 in version 3 (RFC 5280 4.1). */
function certificate({ subject, issuer, publicKey, signedBy, extension, days }: CertificateFacts): string {
  const algorithm = sequence(oid(ECDSA_WITH_SHA256));
  const end = Date.now() + days * DAY_MILLISECONDS;
  const content = sequence(
    tlv(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    nameOf(issuer),
    sequence(time(end - 2 * Math.abs(days) * DAY_MILLISECONDS), time(end)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(extension)),
  );
  const der = sequence(content, algorithm, bits(sign('sha256', content, signedBy)));
  const lines = der.toString('base64').match(/.{1,64}/g)!;
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function tlv(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tlv(0x30, ...parts);
}

function integer(bytes: Buffer): Buffer {
  return tlv(0x02, bytes);
}

function oid(hex: string): Buffer {
  return tlv(0x06, Buffer.from(hex, 'hex'));
}

function bits(content: Buffer): Buffer {
  return tlv(0x03, Buffer.from([0]), content);
}

function nameOf(commonName: string): Buffer {
  return sequence(tlv(0x31, sequence(oid(COMMON_NAME), tlv(0x0c, Buffer.from(commonName)))));
}

function time(at: number): Buffer {
  const text = new Date(at).toISOString().replace(/[-:T]|\.\d+/g, '');
  return tlv(0x17, Buffer.from(text.slice(2)));
}

/** Marked as critical. */
function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), tlv(0x01, Buffer.from([0xff])), tlv(0x04, value));
}
