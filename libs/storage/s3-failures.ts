import type { BlobBucketSettings } from '#libs/configuration/blob-bucket.js';

/** What the client of the store throws, as far as it matters here. */
interface StoreFailure {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** True when the store says that the key is not there, and nothing worse. */
export function isMissingKey(error: unknown): boolean {
  const { name } = error as StoreFailure;
  return name === 'NoSuchKey' || name === 'NotFound';
}

/** True when the content is shorter than the wished range. */
export function isBehindTheEnd(error: unknown): boolean {
  const { name, $metadata } = error as StoreFailure;
  return name === 'InvalidRange' || $metadata?.httpStatusCode === 416;
}

/** What the operator can do about a failure of the store. Names variables and the bucket, never a secret. */
export function adviceFor(error: unknown, bucket: BlobBucketSettings): string {
  const { name = '', code, message = '', $metadata } = error as StoreFailure;
  const status = $metadata?.httpStatusCode;
  const store = bucket.endpoint ?? `the S3 of region ${bucket.region}`;
  switch (name) {
    case 'NoSuchBucket':
      return `There is no bucket "${bucket.bucket}" at ${store}. Create it, or correct BLOB_STORAGE_BUCKET.`;
    case 'InvalidAccessKeyId':
    case 'SignatureDoesNotMatch':
    case 'InvalidToken':
    case 'ExpiredToken':
      return `${store} does not accept the key. Correct BLOB_STORAGE_KEY and BLOB_STORAGE_SECRET.`;
    case 'CredentialsProviderError':
      return 'No key for the bucket was found. Set BLOB_STORAGE_KEY and BLOB_STORAGE_SECRET, or give the machine a role.';
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
      return `The bucket "${bucket.bucket}" lies in another region. Correct BLOB_STORAGE_REGION, now ${bucket.region}.`;
    case 'RequestTimeTooSkewed':
      return 'The clock of this machine is too far from that of the store. Set it with NTP.';
    case 'AccessControlListNotSupported':
      return 'The bucket takes no ACL. Remove BLOB_STORAGE_ACL.';
  }
  if (status === 403) {
    return `${store} refuses access to the bucket "${bucket.bucket}". The key needs to read, write, delete and list its objects.`;
  }
  if (status !== undefined && status < 500) {
    return `${store} refuses a request with ${status} ${name}. ${message}`.trim();
  }
  if (status !== undefined) return `${store} answers with ${status}. Look at the state of the store.`;
  // What the client wraps keeps its code in the message alone.
  const why = code ?? /\bE[A-Z]{4,}\b/.exec(message)?.[0] ?? name;
  return `${store} does not answer (${why}). Check BLOB_STORAGE_ENDPOINT and the network.`;
}
