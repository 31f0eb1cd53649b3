/** Sections of a project that exist only while a flag is on, by the first part of their address. */
const FLAGS: Readonly<Record<string, string>> = {
  board: 'board.enabled',
  inbox: 'inbox.enabled',
  artifacts: 'artifacts.enabled',
  charts: 'artifacts.enabled',
};

export function flagOfSection(path: string): string | null {
  const [section = ''] = path.split('/');
  return Object.hasOwn(FLAGS, section) ? (FLAGS[section] ?? null) : null;
}
