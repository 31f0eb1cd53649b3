const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '::1', '[::1]'];

/** True for the names and addresses that reach only this machine. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK_NAMES.includes(host.toLowerCase()) || host.startsWith('127.');
}
