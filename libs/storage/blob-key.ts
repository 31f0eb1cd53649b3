const KEY = /^[a-z0-9-]+(\/[A-Za-z0-9._-]+)+$/;

/** The key as it was given. @throws Error for what is no key, such as one that leads out of its folder. */
export function requireBlobKey(key: string): string {
  if (!KEY.test(key) || key.split('/').some((part) => part === '.' || part === '..')) {
    throw new Error(`"${key}" is no key of a blob.`);
  }
  return key;
}
