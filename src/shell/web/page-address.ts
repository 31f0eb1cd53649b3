/** A section of a project whose pages exist only while its flag is on. */
const SECTION_FLAGS: Readonly<Record<string, string>> = {
  board: 'board.enabled',
  inbox: 'inbox.enabled',
  artifacts: 'artifacts.enabled',
  charts: 'artifacts.enabled',
};

export interface PageAddress {
  readonly projectId: string | null;
  /** Flag that the section of the page needs. */
  readonly flag: string | null;
  readonly admin: boolean;
}

const PROJECT_PAGE = /^\/projects\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/([a-z-]+))?/i;

/** What must hold before the app is sent for a path, read from the path alone. */
export function readPageAddress(path: string): PageAddress {
  const [, projectId, section] = PROJECT_PAGE.exec(path) ?? [];
  return {
    projectId: projectId?.toLowerCase() ?? null,
    flag: (section && SECTION_FLAGS[section]) ?? (path === '/inbox' ? 'inbox.enabled' : null),
    admin: path === '/admin' || path.startsWith('/admin/'),
  };
}
