/** A private bucket of any S3-compatible store (`platform.md` 15.3). */
export interface BlobBucketSettings {
  readonly bucket: string;
  /** Empty, or what stands before every key, with a slash at its end. */
  readonly prefix: string;
  readonly region: string;
  /** Null for Amazon's own address of the region. */
  readonly endpoint: string | null;
  /** Null leaves it to the machine: its role, or the variables and files of the AWS tools. */
  readonly credentials: { readonly key: string; readonly secret: string } | null;
  /** True puts the bucket into the path of the address instead of its host name. */
  readonly pathStyle: boolean;
  /** Sent with every object; null sends none. */
  readonly acl: string | null;
}

/** Those that make nothing public. */
const ACLS = ['private', 'bucket-owner-read', 'bucket-owner-full-control'] as const;
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/;
const WITHOUT_REGION = 'us-east-1';

/** Reads `BLOB_STORAGE_…` for `BLOB_STORAGE=s3`; `wrong` hears of everything that is not right. */
export function parseBlobBucket(
  text: (name: string) => string | null,
  choice: <T extends string>(name: string, fallback: T, values: readonly T[]) => T,
  wrong: (variable: string, sentence: string) => void,
): BlobBucketSettings {
  const bucket = text('BLOB_STORAGE_BUCKET');
  if (bucket === null) wrong('BLOB_STORAGE_BUCKET', 'is required with BLOB_STORAGE=s3.');
  else if (!BUCKET.test(bucket)) wrong('BLOB_STORAGE_BUCKET', `"${bucket}" is no name of a bucket.`);

  const prefix = (text('BLOB_STORAGE_PREFIX') ?? '').replace(/^\/+|\/+$/g, '');
  if (prefix && (!PREFIX.test(prefix) || prefix.split('/').some((part) => /^\.\.?$/.test(part)))) {
    wrong('BLOB_STORAGE_PREFIX', `"${prefix}" may hold letters, digits, dots, - and _, parted by slashes.`);
  }

  const endpoint = parseEndpoint(text('BLOB_STORAGE_ENDPOINT'), wrong);
  const region = text('BLOB_STORAGE_REGION');
  if (region === null && endpoint === null) {
    wrong('BLOB_STORAGE_REGION', 'is required with BLOB_STORAGE=s3 unless BLOB_STORAGE_ENDPOINT is set.');
  }

  const key = text('BLOB_STORAGE_KEY');
  const secret = text('BLOB_STORAGE_SECRET');
  if ((key === null) !== (secret === null)) {
    wrong(
      key === null ? 'BLOB_STORAGE_KEY' : 'BLOB_STORAGE_SECRET',
      'must be set together with its partner, or neither.',
    );
  }

  return {
    bucket: bucket ?? '',
    prefix: prefix && `${prefix}/`,
    region: region ?? WITHOUT_REGION,
    endpoint,
    credentials: key !== null && secret !== null ? { key, secret } : null,
    pathStyle: ['1', 'true', 'on'].includes(
      choice('BLOB_STORAGE_USE_PATH_STYLE', 'off', ['1', 'true', 'on', '0', 'false', 'off']),
    ),
    acl: text('BLOB_STORAGE_ACL') === null ? null : choice('BLOB_STORAGE_ACL', 'private', ACLS),
  };
}

function parseEndpoint(
  given: string | null,
  wrong: (variable: string, sentence: string) => void,
): string | null {
  if (given === null) return null;
  const url = URL.parse(given);
  if (!url || !/^https?:$/.test(url.protocol)) {
    wrong('BLOB_STORAGE_ENDPOINT', `"${given}" is not a URL such as https://s3.example.com.`);
    return null;
  }
  // Said without the value, which may hold a password.
  if (url.username || url.password || url.search || url.hash) {
    wrong('BLOB_STORAGE_ENDPOINT', 'must have no user name, query or fragment.');
  }
  return given.replace(/\/+$/, '');
}
