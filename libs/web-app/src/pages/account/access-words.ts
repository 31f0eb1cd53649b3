import type { ConnectionGroup } from '../../api/types';

const WORDS: Readonly<Record<string, string>> = {
  mcp: 'Use the tools of Loupe',
  projects: 'Reach all your projects',
  agent: 'Run agents on a machine for you',
  'site-review': 'Leave feedback on a site',
};

/** What a group of connections may do, in words; a scope without words is named as it is. */
export function accessWords(scopes: readonly string[]): readonly string[] {
  return scopes.map((scope) => WORDS[scope] ?? scope);
}

/** What names a group to a person: the machine of a command line, else the host of the client, else its own name. */
export function groupName(group: Pick<ConnectionGroup, 'clientName' | 'clientHost' | 'label'>): string {
  return group.label ?? group.clientHost ?? group.clientName;
}

/** The name and version that a client told of itself, when it did. */
export function clientInfo(info: ConnectionGroup['connections'][number]['lastClientInfo']): string | null {
  if (info === null || info === undefined) return null;
  if (typeof info === 'string') return info;
  return [info.name, info.version].filter(Boolean).join(' ') || null;
}
