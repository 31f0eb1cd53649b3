import { COLUMNS, type Column } from './access-columns.js';
import { ROUTES, type Route, type RouteLevel, TOOLS, type ToolAccess } from './access-levels.js';
import { DOORS } from './page-levels.js';

/** What each column is answered with: a status, `yes` for whoever is let in, `-` where the column does not apply. */
export type Row = Readonly<Record<Column, string>>;

const ROLES = ['viewer', 'member', 'maintainer', 'owner'] as const;

/** Roles from which a level is reached. */
export const LOWEST_ROLE: Readonly<Record<'read' | 'contribute' | 'administer' | 'owner', number>> = {
  read: 0,
  contribute: 1,
  administer: 2,
  owner: 3,
};

function ofRoles(cellOf: (rank: number) => string): Record<(typeof ROLES)[number], string> {
  const cells = ROLES.map((role, rank) => [role, cellOf(rank)] as const);
  return Object.fromEntries(cells) as Record<(typeof ROLES)[number], string>;
}

export function isOfProject(level: RouteLevel): level is keyof typeof LOWEST_ROLE {
  return level in LOWEST_ROLE;
}

/** The row of a route of `/api`. */
export function rowOfRoute({ level, flag, flagFirst, bridges, programs, ownOnly }: Route): Row {
  const flagOff = flag || flagFirst ? '404' : '-';
  if (level === 'admin') {
    const nobody = { ...ofRoles(() => '404'), 'other project': '404', suspended: '404' };
    return {
      anonymous: '404',
      expired: '404',
      'wrong scope': '404',
      ...nobody,
      admin: 'yes',
      'flag off': flagOff,
    };
  }
  const outside = { anonymous: '401', expired: '401', suspended: '401', 'flag off': flagOff };
  const wrongScope = level === 'agent' || bridges || programs ? '403' : '401';
  if (!isOfProject(level)) {
    return {
      ...outside,
      'wrong scope': wrongScope,
      'other project': 'yes',
      ...ofRoles(() => 'yes'),
      admin: 'yes',
    };
  }
  return {
    ...outside,
    'wrong scope': wrongScope,
    'other project': '404',
    ...ofRoles((rank) => {
      if (rank < LOWEST_ROLE[level]) return '403';
      return ownOnly ? 'own' : 'yes';
    }),
    admin: '404',
  };
}

/** The row of a tool, called through a connection that is bound to the project. */
export function rowOfTool({ level, flags }: ToolAccess): Row {
  return {
    anonymous: '401',
    expired: '401',
    'wrong scope': '403',
    'other project': '401',
    ...ofRoles((rank) => (rank < LOWEST_ROLE[level] ? 'refused' : 'yes')),
    admin: '401',
    suspended: '401',
    'flag off': flags ? 'refused' : '-',
  };
}

/** The row of a door, as it is written in `page-levels.ts`. */
export function rowOfDoor(cells: string): Row {
  const given = cells.trim().split(/\s+/);
  if (given.length !== COLUMNS.length) throw new Error(`A row has ${COLUMNS.length} cells: ${cells}`);
  return Object.fromEntries(COLUMNS.map((column, at) => [column, given[at]!])) as Row;
}

/** `docs/access.md`. */
export function accessPage(): string {
  const routes = Object.entries(ROUTES);
  const areas = new Map<string, [string, Route][]>();
  for (const entry of routes) {
    const area = areaOf(entry[0]);
    areas.set(area, [...(areas.get(area) ?? []), entry]);
  }
  return [
    INTRODUCTION,
    '## Pages and other doors\n',
    table(
      'Door',
      DOORS.map(({ door, cells }) => [door, rowOfDoor(cells)]),
    ),
    ...[...areas].flatMap(([area, entries]) => [
      `## ${area}\n`,
      table(
        'Route',
        entries.map(([route, access]) => [route, rowOfRoute(access)]),
      ),
    ]),
    '## Tools\n',
    table(
      'Tool',
      Object.entries(TOOLS).map(([name, access]) => [name, rowOfTool(access)]),
    ),
  ].join('\n');
}

function areaOf(route: string): string {
  const path = route.split(' ')[1]!;
  if (path.startsWith('/api/admin/')) return 'API: administration';
  const section = /^\/api\/projects\/\{projectId\}\/([a-z]+)/.exec(path)?.[1] ?? '';
  if (section === 'documents') return 'API: documents';
  if (['board', 'workflow', 'automation'].includes(section) || /holds|templates/.test(path))
    return 'API: board';
  if (['artifacts', 'artifact', 'charts'].includes(section) || path.includes('artifact'))
    return 'API: artifacts';
  if (path.includes('/projects') || path.includes('/invitations')) return 'API: projects';
  return 'API: account, sign-in and everything else';
}

function table(what: string, rows: readonly (readonly [string, Row])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line([what, ...COLUMNS]),
    line(['---', ...COLUMNS.map(() => '---')]),
    ...rows.map(([name, row]) => line([`\`${name}\``, ...COLUMNS.map((column) => row[column])])),
    '',
  ].join('\n');
}

const INTRODUCTION = `# Who may do what

Made from the rows of \`test/security/access-levels.ts\` and \`page-levels.ts\`, which the suites \`access-matrix\` and
\`access-doors\` prove against the running server. A route, page or tool without a row fails the build. To bring this
page up to date: \`UPDATE_SNAPSHOTS=1 npx jest --config jest.config.cjs test/security/access-rows.spec.ts\`.

| Column | Who calls |
|---|---|
| anonymous | nobody is signed in |
| expired | a session or an access token whose time is over |
| wrong scope | a sign-in of a program that does not carry the scope of the door, also beside the cookie of the owner |
| other project | somebody signed in who has no role in the project (with a tool: their own connection to it) |
| viewer, member, maintainer, owner | who has that role in the project |
| admin | an administrator of the instance without a role in the project |
| suspended | a member whose account is suspended |
| flag off | the owner, while the flag of the section is off |

\`yes\`: let in. \`own\`: let in for what they made themselves. A number is the status of the refusal, or of the redirect to
the sign-in (303). \`refused\`: the tool answers with a sentence and changes nothing. \`-\`: the column does not apply.
`;
