import { rulesOf } from './oauth-client.js';

/**
 * Resources of this instance (RFC 8707) and who may ask for which (`identity.md` 5.2). All addresses are built from
 * `DEFAULT_URI`, here without a trailing slash.
 */
export class Resources {
  constructor(private readonly defaultUri: string) {}

  get mcp(): string {
    return `${this.defaultUri}/mcp`;
  }

  get all(): readonly string[] {
    return [this.defaultUri, this.mcp, `${this.defaultUri}/api`];
  }

  /** The one resource of a client, also when its request names none. */
  ofClient(clientId: string): string {
    return `${this.defaultUri}${rulesOf(clientId).resourcePath}`;
  }

  /**
   * A resource in its one form: scheme and host in lower case, without one trailing slash. Nothing else is tolerated, so
   * what is not of this instance comes back as it was.
   */
  normalise(resource: string): string {
    const parts = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)$/.exec(resource);
    if (!parts) return resource;
    const [, scheme, authority, path] = parts;
    const normal = `${scheme!.toLowerCase()}://${authority!.toLowerCase()}${path!.replace(/\/$/, '')}`;
    return this.all.includes(normal) ? normal : resource;
  }

  /** Whether the door at `path` accepts tokens for this audience. */
  accepts(path: string, audience: string): boolean {
    if (audience === this.defaultUri) return isBelow(path, '/mcp') || isBelow(path, '/api');
    if (audience === this.mcp) return isBelow(path, '/mcp');
    return audience === `${this.defaultUri}/api` && isBelow(path, '/api');
  }
}

function isBelow(path: string, door: '/mcp' | '/api'): boolean {
  return path === door || path.startsWith(`${door}/`);
}
