import { isFree } from '#libs/configuration/loopback-ports.js';

const TRIES = 50;

/** The first port from `first` on that nobody listens on at the loopback address. */
export async function freePortFrom(first: number): Promise<number> {
  for (let port = first; port < first + TRIES; port += 1) {
    if (await isFree(port)) return port;
  }
  throw new Error(`All ports from ${first} to ${first + TRIES - 1} are in use. Set PORT to a free one.`);
}
