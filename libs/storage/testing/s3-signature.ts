import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const HEADER =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

/** Code of the refusal, or null for a request that was signed as Signature Version 4 wants it. */
export function signatureFault(
  request: IncomingMessage,
  body: Buffer,
  keys: ReadonlyMap<string, string>,
): string | null {
  const parts = HEADER.exec(request.headers.authorization ?? '');
  if (!parts) return 'AccessDenied';
  const [, key, day, region, names, given] = parts as unknown as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const secret = keys.get(key);
  if (secret === undefined) return 'InvalidAccessKeyId';
  const payload = String(request.headers['x-amz-content-sha256']);
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const [path = '', query = ''] = request.url!.split('?', 2);
  const canonical = [
    request.method,
    path,
    query
      .split('&')
      .filter(Boolean)
      .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
      .sort()
      .join('&'),
    ...names.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}`),
    '',
    names,
    payload,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const signing = [day, region, 's3', 'aws4_request'].reduce<Buffer>(
    (from, part) => hmac(from, part),
    Buffer.from(`AWS4${secret}`),
  );
  return timingSafeEqual(hmac(signing, toSign), Buffer.from(given, 'hex')) ? null : 'SignatureDoesNotMatch';
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
