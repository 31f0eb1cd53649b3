/** A section of a project whose pages exist only while its flag is on. */
const SECTION_FLAGS: ReadonlyMap<string, string> = new Map([
  ['board', 'board.enabled'],
  ['inbox', 'inbox.enabled'],
  ['artifacts', 'artifacts.enabled'],
  ['charts', 'artifacts.enabled'],
]);

export interface PageAddress {
  readonly projectId: string | null;
  /** Flag that the section of the page needs. */
  readonly flag: string | null;
  readonly admin: boolean;
}

const PROJECT_PAGE = /^\/projects\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/([a-z-]+))?/i;

/** What must hold before the app is sent for an address: read from its path, and from `project` of the search page. */
export function readPageAddress(path: string, query: Readonly<Record<string, unknown>> = {}): PageAddress {
  const [, projectId, section] = PROJECT_PAGE.exec(path) ?? [];
  return {
    projectId: projectId?.toLowerCase() ?? (path === '/search' ? projectOfSearch(query.project) : null),
    flag: (section && SECTION_FLAGS.get(section)) ?? (path === '/inbox' ? 'inbox.enabled' : null),
    admin: path === '/admin' || path.startsWith('/admin/'),
  };
}

/** What is no id is looked up too, and found nowhere. */
function projectOfSearch(project: unknown): string | null {
  return project === undefined || project === '' ? null : String(project).toLowerCase();
}
