import type { Column } from './access-columns.js';

/** What doors of the matrix are called with. */
export interface DoorWorld {
  readonly projectId: string;
  readonly documentId: string;
  readonly artifactId: string;
  /** Path of the export of the owner, with its token. */
  readonly downloadPath: string;
  /** Path below the preview of the artifact, with the ticket that this column was given while it could. */
  readonly previewPath: Readonly<Partial<Record<Column, string>>>;
  readonly livePath: string;
  /** Address of the newest release of the command. */
  readonly cliPath: string;
  /** Address of a fresh upload of each column that may have one. */
  readonly uploadPath: Readonly<Partial<Record<Column, string>>>;
  /** `Authorization` of git for each column. */
  readonly gitAuthorization: Readonly<Partial<Record<Column, string>>>;
  readonly metricsToken: string;
}

/** A door that is no route of `docs/openapi.json`: pages, files, git, previews, the endpoints of OAuth. */
export interface Door {
  readonly door: string;
  /** Patterns of the router that this row is about; none for doors that stand before the router. */
  readonly routes: readonly string[];
  /**
   * One cell a column: anonymous, expired, wrong scope, other project, viewer, member, maintainer, owner, admin,
   * suspended, flag off.
   */
  readonly cells: string;
  /** The flag of the last column. */
  readonly flag?: string;
  readonly path: (world: DoorWorld, column: Column) => string;
  readonly method?: string;
  /** Its credentials are made anew: switching the flag of another door off ended them. */
  readonly fresh?: true;
  /** Form that is sent, without a token against forged forms. */
  readonly form?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly contentType?: string;
  /** Credentials in place of the session of the column. */
  readonly authorization?: (world: DoorWorld, column: Column) => string | undefined;
}

const NOBODY = '00000000-0000-7000-8000-000000000000';
/** Open to everybody, signed in or not. */
const OPEN = 'yes yes yes yes yes yes yes yes yes yes -';
/** Pages of whoever is signed in. */
const SIGNED_IN = '303 303 303 yes yes yes yes yes yes 303 -';
/** Pages of a project. */
const OF_PROJECT = '303 303 303 404 yes yes yes yes 404 303 -';
/** Forms whose token is missing: nobody gets anything done. */
const FORGED = '403 403 403 403 403 403 403 403 403 403 -';

function page(path: string, cells: string, pattern: string, flag?: string): Door {
  return {
    door: `GET ${path}`,
    routes: [`GET ${pattern}`],
    cells,
    flag,
    path: ({ projectId, documentId }) =>
      path.replace('{projectId}', projectId).replace('{documentId}', documentId),
  };
}

function open(path: string, pattern = path, cells = OPEN): Door {
  return { door: `GET ${path}`, routes: [`GET ${pattern}`], cells, path: () => path };
}

function form(path: string, cells: string, fields: Record<string, string> = {}, pattern = path): Door {
  return {
    door: `POST ${path}`,
    routes: [`POST ${pattern}`],
    cells,
    path: () => path,
    method: 'POST',
    form: fields,
  };
}

function oauth(door: string, path: string, cells: string, fields?: Record<string, string>): Door {
  return {
    door,
    routes: [],
    cells,
    path: () => path,
    ...(fields ? { method: 'POST', form: fields } : {}),
  };
}

function git(door: string, pattern: string, path: string, cells: string, method = 'GET'): Door {
  return {
    door,
    routes: [pattern],
    cells,
    flag: 'artifacts.git.enabled',
    fresh: true,
    method,
    path: ({ artifactId }) => `/git/${artifactId}.git/${path}`,
    authorization: ({ gitAuthorization }, column) => gitAuthorization[column],
    ...(method === 'POST' ? { body: '0000', contentType: `application/x-${path}-request` } : {}),
  };
}

/** Every door besides the routes of `docs/openapi.json`. */
export const DOORS: readonly Door[] = [
  page('/projects', SIGNED_IN, '/projects{/*rest}'),
  page('/projects/new', SIGNED_IN, '/projects{/*rest}'),
  page('/projects/{projectId}', OF_PROJECT, '/projects{/*rest}'),
  page('/projects/{projectId}/settings/members', OF_PROJECT, '/projects{/*rest}'),
  page('/projects/{projectId}/connect', OF_PROJECT, '/projects{/*rest}'),
  page('/projects/{projectId}/documents/{documentId}/review', OF_PROJECT, '/projects{/*rest}'),
  page('/projects/{projectId}/board', OF_PROJECT.replace('-', '404'), '/projects{/*rest}', 'board.enabled'),
  page(
    '/projects/{projectId}/artifacts',
    OF_PROJECT.replace('-', '404'),
    '/projects{/*rest}',
    'artifacts.enabled',
  ),
  page(
    '/projects/{projectId}/charts',
    OF_PROJECT.replace('-', '404'),
    '/projects{/*rest}',
    'artifacts.enabled',
  ),
  page('/account/security', SIGNED_IN, '/account{/*rest}'),
  page('/welcome', SIGNED_IN, '/welcome{/*rest}'),
  page('/inbox', SIGNED_IN.replace('-', '404'), '/inbox', 'inbox.enabled'),
  page('/search', SIGNED_IN, '/search'),
  page('/invitations/unknown', SIGNED_IN, '/invitations/:token'),
  page('/admin', '303 303 303 404 404 404 404 404 yes 303 -', '/admin{/*rest}'),
  page('/admin/feature-flags', '303 303 303 404 404 404 404 404 yes 303 -', '/admin{/*rest}'),
  {
    door: 'GET /account/exports/{id}/download?token=… of the owner',
    routes: ['GET /account/exports/:id/download'],
    cells: '401 401 401 404 404 404 404 yes 404 401 -',
    path: ({ downloadPath }) => downloadPath,
  },

  open('/', '/', '303 303 303 yes yes yes yes yes yes 303 -'),
  open('/favicon.ico'),
  open('/setup.md'),
  open('/docs'),
  open('/docs/mcp', '/docs/:name'),
  open('/docs/images/review.png', '/docs/images/:name'),
  open('/docs/no/such/page', '/docs/*rest', '404 404 404 404 404 404 404 404 404 404 -'),
  open('/about'),
  open('/install.sh'),
  open('/cli/releases.json'),
  {
    ...open('/cli/{file}', '/cli/:file'),
    path: ({ cliPath }) => cliPath,
  },
  open('/schemas/typed-artifacts/stat.json', '/schemas/typed-artifacts/:type.json'),
  {
    ...open('/diagram-frame', '/diagram-frame', 'yes yes yes yes yes yes yes yes yes yes 404'),
    flag: 'review.diagrams.enabled',
  },
  open('/livez'),
  open('/healthz'),
  open('/metrics', '/metrics', '401 401 401 401 401 401 401 401 401 401 -'),
  {
    ...open('/metrics', '/metrics'),
    door: 'GET /metrics with METRICS_TOKEN',
    authorization: ({ metricsToken }) => `Bearer ${metricsToken}`,
  },
  { door: 'GET /assets/…', routes: [], cells: OPEN, path: () => '/assets/mark.svg' },
  open('/.well-known/oauth-authorization-server'),
  open('/.well-known/openid-configuration'),
  open('/.well-known/oauth-protected-resource/mcp'),

  // Once installed, the wizard is gone for everybody.
  open('/install', '/install', '404 404 404 404 404 404 404 404 404 404 -'),
  form('/install', '404 404 404 404 404 404 404 404 404 404 -', { email: 'eve@mail.example' }),
  open('/login', '/login', 'yes yes yes 303 303 303 303 303 303 yes -'),
  form('/login', FORGED, { email: 'eve@mail.example', password: 'no password of hers' }),
  open('/login/company', '/login/company', '404 404 404 404 404 404 404 404 404 404 -'),
  open('/login/company/callback', '/login/company/callback', FORGED),
  open('/logout', '/logout', '303 303 303 yes yes yes yes yes yes 303 -'),
  form('/logout', '303 303 303 403 403 403 403 403 403 303 -'),
  // Without mail nobody can register.
  open('/register'),
  form('/register', FORGED, { email: 'eve@mail.example' }),
  open('/check-email', '/check-email', '303 303 303 303 303 303 303 303 303 303 -'),
  form('/check-email', '303 303 303 303 303 303 303 303 303 303 -'),
  open('/forgot-password'),
  form('/forgot-password', OPEN, { email: 'eve@mail.example' }),
  open('/reset-password', '/reset-password', '404 404 404 404 404 404 404 404 404 404 -'),
  form('/reset-password', '404 404 404 404 404 404 404 404 404 404 -', { token: 'unknown' }),
  open('/verify-email', '/verify-email', '404 404 404 404 404 404 404 404 404 404 -'),
  form('/verify-email', '404 404 404 404 404 404 404 404 404 404 -', { token: 'unknown' }),
  open('/confirm-email', '/confirm-email', '404 404 404 404 404 404 404 404 404 404 -'),
  form('/confirm-email', '404 404 404 404 404 404 404 404 404 404 -', { token: 'unknown' }),

  oauth(
    'GET /oauth/authorize of an unknown app',
    '/oauth/authorize?client_id=nobody',
    '400 400 400 400 400 400 400 400 400 400 -',
  ),
  oauth(
    'GET /oauth/authorize/{uid} of nobody',
    '/oauth/authorize/nobody',
    '400 400 400 400 400 400 400 400 400 400 -',
  ),
  oauth('GET /oauth/jwks', '/oauth/jwks', OPEN),
  oauth(
    'POST /oauth/token with an unknown code',
    '/oauth/token',
    '400 400 400 400 400 400 400 400 400 400 -',
    {
      grant_type: 'authorization_code',
      client_id: 'loupe-cli',
      code: 'unknown',
    },
  ),
  // Whatever the token is, the answer is the same (RFC 7009).
  oauth('POST /oauth/revoke of an unknown token', '/oauth/revoke', OPEN, {
    client_id: 'loupe-cli',
    token: 'unknown',
  }),
  oauth('POST /oauth/device-authorization', '/oauth/device-authorization', OPEN, { client_id: 'loupe-cli' }),
  open('/oauth/consent/nobody', '/oauth/consent/:uid', '303 303 303 409 409 409 409 409 409 303 -'),
  form(
    '/oauth/consent/nobody',
    '303 303 303 409 409 409 409 409 409 303 -',
    { answer: 'allow' },
    '/oauth/consent/:uid',
  ),
  open('/oauth/device', '/oauth/device', SIGNED_IN),
  form('/oauth/device', '303 303 303 403 403 403 403 403 403 303 -', {
    user_code: 'BCDF-GHJK',
    answer: 'allow',
  }),

  {
    door: 'GET /mcp',
    routes: [],
    cells: '401 401 403 401 401 401 401 401 401 401 -',
    path: () => '/mcp',
  },

  {
    door: 'GET /artifacts/{id}/preview',
    routes: ['GET /artifacts/:artifactId/preview'],
    cells: '303 303 303 404 yes yes yes yes 404 303 404',
    flag: 'artifacts.enabled',
    path: ({ artifactId }) => `/artifacts/${artifactId}/preview`,
  },
  {
    door: 'GET /artifacts/{id}/preview/state',
    routes: ['GET /artifacts/:artifactId/preview/state'],
    cells: '404 404 404 404 yes yes yes yes 404 404 404',
    flag: 'artifacts.enabled',
    path: ({ artifactId }) => `/artifacts/${artifactId}/preview/state`,
  },
  {
    // Cookies are never read here: the ticket alone counts, while whoever got it may still read.
    door: 'GET /artifact-preview/{ticket}/…',
    routes: [],
    cells: '404 404 404 404 yes yes yes yes 404 404 404',
    flag: 'artifacts.enabled',
    path: ({ previewPath }, column) => previewPath[column] ?? '/artifact-preview/nobody/index.html',
  },
  {
    door: 'GET /live/{subdomain}/…',
    routes: [],
    cells: 'yes yes yes yes yes yes yes yes yes yes 404',
    flag: 'artifacts.publish.enabled',
    path: ({ livePath }) => livePath,
  },
  {
    door: 'PUT /artifact-uploads/{id}/{secret}',
    routes: ['PUT /artifact-uploads/:id/:secret'],
    cells: '404 410 404 410 410 yes yes yes 404 410 404',
    flag: 'artifacts.enabled',
    fresh: true,
    method: 'PUT',
    body: 'not a zip',
    contentType: 'application/zip',
    path: ({ uploadPath }, column) => uploadPath[column] ?? `/artifact-uploads/${NOBODY}/unknown`,
  },
  git(
    'GET /git/{id}.git/info/refs?service=git-upload-pack',
    'GET /git/:repository/info/refs',
    'info/refs?service=git-upload-pack',
    '401 403 401 403 403 yes yes yes 404 403 404',
  ),
  git(
    'GET /git/{id}.git/info/refs?service=git-receive-pack',
    'GET /git/:repository/info/refs',
    'info/refs?service=git-receive-pack',
    '401 403 401 403 403 yes yes yes 404 403 404',
  ),
  git(
    'POST /git/{id}.git/git-upload-pack',
    'POST /git/:repository/git-upload-pack',
    'git-upload-pack',
    '401 403 401 403 403 yes yes yes 404 403 404',
    'POST',
  ),
  git(
    'POST /git/{id}.git/git-receive-pack',
    'POST /git/:repository/git-receive-pack',
    'git-receive-pack',
    '401 403 401 403 403 yes yes yes 404 403 404',
    'POST',
  ),
  {
    door: 'GET /git/… elsewhere',
    routes: ['ALL /git/*path'],
    cells: '404 404 404 404 404 404 404 404 404 404 -',
    path: ({ artifactId }) => `/git/${artifactId}.git/HEAD`,
    authorization: ({ gitAuthorization }, column) => gitAuthorization[column],
  },
];
