/** What a route asks of whoever calls it (`platform.md` 2.2 and 3.7). */
export type RouteLevel = 'session' | 'admin' | 'agent' | 'read' | 'contribute' | 'administer' | 'owner';

/** Ids of one project's things, for addresses and bodies. */
export interface Things {
  readonly projectId: string;
  readonly documentId: string;
  readonly commentId: string;
  readonly deletedCommentId: string;
  readonly verdictId: string;
  readonly seriesId: string;
  readonly headingId: string;
  readonly projectVersion: number;
  readonly cardId: string;
  readonly cardNumber: number;
  /** The first column after Backlog; the card is in it. */
  readonly columnId: string;
  readonly columnSlug: string;
  readonly finishingColumnId: string;
  /** A column without cards that is no place of the workflow. */
  readonly spareColumnId: string;
  readonly spareColumnSlug: string;
  /** Every column but Backlog, in order. */
  readonly columnIds: readonly string[];
  readonly columnSlugs: readonly string[];
  readonly columnsRevision: number;
  readonly spareColumnRevision: number;
  readonly automationVersion: number;
  /** An app of plain HTML in the General workspace, with one version. */
  readonly artifactId: string;
  readonly revision: string;
  readonly workspaceId: string;
  /** Number of a stored chart. */
  readonly chartId: number;
  /** Open, without an address. */
  readonly invitationId: string;
  /** A member besides those who call. */
  readonly memberId: string;
}

export interface Route {
  readonly level: RouteLevel;
  /** Only whoever made the thing may do it; here the owner did. */
  readonly ownOnly?: true;
  /** While this flag is off, the route answers 404 `switched_off` to whoever is signed in. */
  readonly flag?: string;
  /** The same, for a route that asks for its flag before it asks who calls. */
  readonly flagFirst?: string;
  /** Reads are open to bridges too (bearer, scope `agent`); writes refuse them. */
  readonly bridges?: true;
  /** Writes are open to programs of the person too (bearer, scope `agent`). */
  readonly programs?: true;
  /** What ids of another project are answered with, where the address or the body names any. */
  readonly foreign?: string;
  /** What a card of another project in a body that is right otherwise is answered with. */
  readonly foreignCard?: string;
  /** Values of path parameters beside `projectId` and `id`. */
  readonly parameters?: (things: Things) => Record<string, string>;
  readonly query?: (things: Things) => string;
  /** A body that is right in form, so that a refusal is about access. */
  readonly body?: (things: Things) => unknown;
}

const comment = (things: Things) => ({ cid: things.commentId });

const NOWHERE = '00000000-0000-7000-8000-000000000000';

/** What routes of the board share. */
const board = { flag: 'board.enabled' } as const;
const UNKNOWN = '404 not_found';

/** Routes of one card. */
const ofCard = {
  ...board,
  foreign: UNKNOWN,
  parameters: ({ cardId }: Things) => ({ cardId }),
} as const;

/** Routes of one column; bridges may read their list, so the door of all of them knows bridges. */
const ofColumn = {
  ...board,
  bridges: true,
  foreign: '409 column_gone',
  parameters: ({ spareColumnId }: Things) => ({ columnId: spareColumnId }),
} as const;

/** Every route of the board and the workflow (`board.md` 10, `workflow.md` 15.1). */
const BOARD_ROUTES: Readonly<Record<string, Route>> = {
  'GET /api/card-holds': { ...board, level: 'agent' },
  'GET /api/projects/{projectId}/board': { ...board, level: 'read' },
  'GET /api/projects/{projectId}/board/backlog': { ...board, level: 'read' },
  'GET /api/projects/{projectId}/board/list': { ...board, level: 'read' },
  'GET /api/projects/{projectId}/board/changes': { ...board, level: 'read', query: () => '?since=0' },
  'GET /api/projects/{projectId}/board/tiles': {
    ...board,
    level: 'read',
    foreign: '409 column_gone',
    query: ({ columnId }) => `?columnId=${columnId}`,
  },
  'GET /api/projects/{projectId}/board/terminal/{columnId}': {
    ...board,
    level: 'read',
    foreign: UNKNOWN,
    parameters: ({ finishingColumnId }) => ({ columnId: finishingColumnId }),
  },
  'PATCH /api/projects/{projectId}/board/settings': {
    ...board,
    level: 'administer',
    body: () => ({ finishedWindowDays: 9 }),
  },
  'PUT /api/projects/{projectId}/board/documents/{documentId}/cards': {
    ...board,
    level: 'contribute',
    foreign: UNKNOWN,
    foreignCard: '422 invalid',
    parameters: ({ documentId }) => ({ documentId }),
    body: ({ cardId }) => ({ cardIds: [cardId] }),
  },

  'GET /api/projects/{projectId}/board/cards': {
    ...board,
    level: 'read',
    // An empty list, as for an unknown document.
    foreign: '200 ',
    query: ({ documentId }) => `?documentId=${documentId}`,
  },
  'POST /api/projects/{projectId}/board/cards': {
    ...board,
    level: 'contribute',
    foreign: '409 column_gone',
    foreignCard: '422 invalid',
    body: ({ columnId, documentId, cardId }) => ({
      title: 'Another',
      body: '',
      columnId,
      documentIds: [documentId],
      relatedCards: [{ cardId }],
    }),
  },
  'GET /api/projects/{projectId}/board/cards/suggest': { ...board, level: 'read', query: () => '?q=card' },
  'GET /api/projects/{projectId}/board/cards/by-number/{number}': {
    ...board,
    level: 'read',
    parameters: ({ cardNumber }) => ({ number: `${cardNumber}` }),
  },
  'POST /api/projects/{projectId}/board/cards/move': {
    ...board,
    level: 'contribute',
    foreign: '409 column_gone',
    foreignCard: '422 invalid',
    body: ({ cardId, spareColumnId }) => ({ cardIds: [cardId], columnId: spareColumnId }),
  },
  'GET /api/projects/{projectId}/board/cards/{cardId}': { ...ofCard, level: 'read', bridges: true },
  'GET /api/projects/{projectId}/board/cards/{cardId}/tile': { ...ofCard, level: 'read' },
  'GET /api/projects/{projectId}/board/cards/{cardId}/history': { ...ofCard, level: 'read' },
  'PATCH /api/projects/{projectId}/board/cards/{cardId}': {
    ...ofCard,
    level: 'contribute',
    body: () => ({ title: 'Said otherwise', contentVersion: 1 }),
  },
  'DELETE /api/projects/{projectId}/board/cards/{cardId}': {
    ...ofCard,
    level: 'contribute',
    body: ({ cardNumber }) => ({ confirm: cardNumber }),
  },
  'POST /api/projects/{projectId}/board/cards/{cardId}/move': {
    ...ofCard,
    level: 'contribute',
    body: ({ spareColumnId }) => ({ columnId: spareColumnId, makeUnmanaged: true }),
  },
  'POST /api/projects/{projectId}/board/cards/{cardId}/hold': {
    ...ofCard,
    level: 'contribute',
    body: () => ({ note: 'Mine' }),
  },
  'POST /api/projects/{projectId}/board/cards/{cardId}/release': {
    ...ofCard,
    level: 'contribute',
    body: () => ({}),
  },
  'POST /api/projects/{projectId}/board/cards/{cardId}/lane': {
    ...ofCard,
    level: 'contribute',
    body: () => ({ enabled: false }),
  },
  'POST /api/projects/{projectId}/board/cards/{cardId}/pauses/{pauseId}/release': {
    ...ofCard,
    level: 'contribute',
    parameters: ({ cardId }) => ({ cardId, pauseId: NOWHERE }),
    body: () => ({}),
  },
  'POST /api/projects/{projectId}/board/cards/{cardId}/runs/{runId}/close': {
    ...ofCard,
    level: 'contribute',
    parameters: ({ cardId }) => ({ cardId, runId: NOWHERE }),
    body: () => ({}),
  },

  'GET /api/projects/{projectId}/board/columns': { ...board, level: 'read', bridges: true },
  'POST /api/projects/{projectId}/board/columns': {
    ...board,
    level: 'administer',
    bridges: true,
    body: () => ({ label: 'Parked' }),
  },
  'POST /api/projects/{projectId}/board/columns/order': {
    ...board,
    level: 'administer',
    bridges: true,
    foreign: '422 invalid',
    body: ({ columnIds, columnsRevision }) => ({ columnIds: [...columnIds].reverse(), columnsRevision }),
  },
  'PATCH /api/projects/{projectId}/board/columns/{columnId}': {
    ...ofColumn,
    level: 'administer',
    body: ({ spareColumnRevision }) => ({ label: 'Set aside', revision: spareColumnRevision }),
  },
  'POST /api/projects/{projectId}/board/columns/{columnId}/delete': {
    ...ofColumn,
    level: 'administer',
    body: () => ({}),
  },

  'GET /api/workflow-templates': { ...board, level: 'session' },
  'GET /api/projects/{projectId}/workflow': { ...board, level: 'read' },
  'PUT /api/projects/{projectId}/workflow/slots/{slot}': {
    ...board,
    level: 'administer',
    foreign: '422 invalid',
    parameters: () => ({ slot: 'next' }),
    body: ({ spareColumnId }) => ({ columnId: spareColumnId }),
  },
  'GET /api/projects/{projectId}/automation': { ...board, level: 'read' },
  'PATCH /api/projects/{projectId}/automation': {
    ...board,
    level: 'administer',
    body: ({ automationVersion }) => ({ enabled: false, version: automationVersion }),
  },
};

/** What routes of charts share; both flags hide them, this one first. */
const ofCharts = { flag: 'artifacts.enabled', level: 'read' } as const;
const ofOneChart = {
  ...ofCharts,
  foreign: UNKNOWN,
  parameters: ({ chartId }: Things) => ({ id: `${chartId}` }),
} as const;

/** Charts of conversations (`artifacts.md` 11.1). */
const CHART_ROUTES: Readonly<Record<string, Route>> = {
  'GET /api/projects/{projectId}/charts': ofCharts,
  'GET /api/projects/{projectId}/charts/threads': ofCharts,
  'GET /api/projects/{projectId}/charts/{id}': ofOneChart,
  'GET /api/projects/{projectId}/charts/{id}.svg': ofOneChart,
  'GET /api/projects/{projectId}/charts/{id}.csv': ofOneChart,
  'DELETE /api/projects/{projectId}/charts/{id}': { ...ofOneChart, level: 'contribute' },
};

/** What routes of artifacts share. */
const artifacts = { flag: 'artifacts.enabled' } as const;

/** Routes of one artifact. */
const ofArtifact = {
  ...artifacts,
  foreign: UNKNOWN,
  parameters: ({ artifactId }: Things) => ({ id: artifactId, artifactId, number: '1' }),
} as const;

/** Routes of one workspace. */
const ofWorkspace = {
  ...artifacts,
  level: 'administer',
  parameters: ({ workspaceId }: Things) => ({ id: workspaceId }),
} as const;

const INDEX_HASH = 'a'.repeat(64);
const ARTIFACT = '/api/projects/{projectId}/artifacts/{id}';
const AREA_OF_ARTIFACT = '/api/projects/{projectId}/artifacts/{artifactId}';

/** Every route of artifacts but charts (`artifacts.md` 11.1). */
const ARTIFACT_ROUTES: Readonly<Record<string, Route>> = {
  'GET /api/admin/artifacts': { level: 'admin' },
  'POST /api/admin/artifacts/{artifactId}/unpublish': {
    level: 'admin',
    parameters: () => ({ artifactId: NOWHERE }),
    body: () => ({ reason: 'Not ours' }),
  },

  'GET /api/projects/{projectId}/artifacts': { ...artifacts, level: 'read', bridges: true },
  'POST /api/projects/{projectId}/artifacts': {
    ...artifacts,
    level: 'contribute',
    body: () => ({ type: 'import', files: { 'index.html': 'Another' } }),
  },
  'GET /api/projects/{projectId}/artifacts/deleted': { ...artifacts, level: 'administer' },
  'GET /api/projects/{projectId}/artifacts/usage': { ...artifacts, level: 'read' },
  'GET /api/projects/{projectId}/artifacts/preview-hosts': { ...artifacts, level: 'read' },
  'PUT /api/projects/{projectId}/artifacts/preview-hosts': {
    ...artifacts,
    level: 'administer',
    body: () => ({ origins: ['https://fonts.example.com'] }),
  },
  'POST /api/projects/{projectId}/artifacts/uploads': {
    ...artifacts,
    level: 'contribute',
    body: () => ({ purpose: 'source' }),
  },

  'GET /api/projects/{projectId}/artifacts/workspaces': { ...artifacts, level: 'read' },
  'POST /api/projects/{projectId}/artifacts/workspaces': {
    ...artifacts,
    level: 'administer',
    body: () => ({ name: 'Designs' }),
  },
  'PATCH /api/projects/{projectId}/artifacts/workspaces/{id}': {
    ...ofWorkspace,
    foreign: UNKNOWN,
    body: () => ({ name: 'Renamed' }),
  },
  'POST /api/projects/{projectId}/artifacts/workspaces/{id}/archive': { ...ofWorkspace, foreign: UNKNOWN },
  'POST /api/projects/{projectId}/artifacts/workspaces/{id}/unarchive': { ...ofWorkspace, foreign: UNKNOWN },

  [`GET ${ARTIFACT}`]: { ...ofArtifact, level: 'read', bridges: true },
  [`PATCH ${ARTIFACT}`]: {
    ...ofArtifact,
    level: 'contribute',
    body: () => ({ name: 'Renamed', version: 1 }),
  },
  [`DELETE ${ARTIFACT}`]: { ...ofArtifact, level: 'administer' },
  [`POST ${ARTIFACT}/undelete`]: { ...ofArtifact, level: 'administer' },
  [`POST ${ARTIFACT}/archive`]: { ...ofArtifact, level: 'contribute' },
  [`POST ${ARTIFACT}/unarchive`]: { ...ofArtifact, level: 'contribute' },
  [`POST ${ARTIFACT}/duplicate`]: { ...ofArtifact, level: 'contribute', body: () => ({}) },
  [`PUT ${ARTIFACT}/cards`]: {
    ...ofArtifact,
    level: 'contribute',
    foreignCard: '422 invalid',
    body: ({ cardId }) => ({ cardIds: [cardId] }),
  },
  [`POST ${ARTIFACT}/edits`]: {
    ...ofArtifact,
    level: 'contribute',
    body: ({ revision }) => ({
      baseRevision: revision,
      commitMessage: 'Edit',
      changes: [{ op: 'write', path: 'more.html', content: 'More' }],
    }),
  },
  [`POST ${ARTIFACT}/git-token`]: { ...ofArtifact, level: 'contribute', body: () => ({}) },
  [`GET ${ARTIFACT}/files/{number}`]: { ...ofArtifact, level: 'read', query: () => '?path=index.html' },
  [`GET ${ARTIFACT}/tree`]: { ...ofArtifact, level: 'read' },
  [`GET ${ARTIFACT}/compare`]: { ...ofArtifact, level: 'read', query: () => '?from=1&to=1' },
  [`GET ${ARTIFACT}/diff`]: { ...ofArtifact, level: 'read', query: () => '?from=1&to=1&path=index.html' },
  [`GET ${ARTIFACT}/versions/{number}.zip`]: { ...ofArtifact, level: 'read' },
  [`POST ${ARTIFACT}/versions/{number}/restore`]: { ...ofArtifact, level: 'contribute' },

  [`POST ${AREA_OF_ARTIFACT}/generation/cancel`]: { ...ofArtifact, level: 'contribute' },
  [`POST ${AREA_OF_ARTIFACT}/generation/retry`]: { ...ofArtifact, level: 'contribute' },
  [`POST ${AREA_OF_ARTIFACT}/publish`]: { ...ofArtifact, level: 'contribute', body: () => ({}) },
  [`POST ${AREA_OF_ARTIFACT}/unpublish`]: { ...ofArtifact, level: 'contribute' },
  // Open to everybody for public artifacts, so its flag comes before its sign-in.
  [`GET ${AREA_OF_ARTIFACT}/preview-ticket`]: {
    ...ofArtifact,
    flag: undefined,
    flagFirst: 'artifacts.enabled',
    level: 'read',
  },

  'POST /api/projects/{projectId}/artifact-pushes': {
    ...artifacts,
    level: 'contribute',
    programs: true,
    body: () => ({ files: [{ path: 'index.html', sha256: INDEX_HASH, bytes: 1 }] }),
  },
  // Pushes are of who began them; here nobody did.
  'PUT /api/artifact-pushes/{pushId}/blobs/{sha256}': {
    ...artifacts,
    level: 'session',
    programs: true,
    parameters: () => ({ pushId: NOWHERE, sha256: INDEX_HASH }),
  },
  'PUT /api/artifact-pushes/{pushId}/blobs': {
    ...artifacts,
    level: 'session',
    programs: true,
    parameters: () => ({ pushId: NOWHERE }),
  },
  'POST /api/artifact-pushes/{pushId}/commit': {
    ...artifacts,
    level: 'session',
    programs: true,
    parameters: () => ({ pushId: NOWHERE }),
  },
};

/** Every route of `docs/openapi.json`. A route that is not here fails the suite: decide its level, then add it. */
export const ROUTES: Readonly<Record<string, Route>> = {
  'GET /api/account': { level: 'session' },
  'PATCH /api/account': { level: 'session', body: () => ({ timezone: 'UTC' }) },
  'POST /api/account/confirm': { level: 'session', body: () => ({ password: 'not the password' }) },
  'GET /api/account/connections': { level: 'session' },
  'POST /api/account/connections/revoke': {
    level: 'session',
    body: () => ({ clientId: 'https://nobody.example/client.json' }),
  },
  'DELETE /api/account/connections/{id}': { level: 'session' },
  'GET /api/account/exports': { level: 'session' },
  'POST /api/account/exports': { level: 'session' },
  'DELETE /api/account/exports/{id}': { level: 'session' },
  'POST /api/account/delete': { level: 'session', body: () => ({ email: 'not.the.address@example.com' }) },
  'POST /api/account/email': { level: 'session', body: () => ({ email: 'no address' }) },
  'PUT /api/account/password': { level: 'session', body: () => ({ password: 'short' }) },
  'GET /api/account/sessions': { level: 'session' },
  'POST /api/account/sessions/end-others': { level: 'session', body: () => ({}) },
  'DELETE /api/account/sessions/{id}': { level: 'session' },

  'GET /api/admin/audit': { level: 'admin' },
  'GET /api/admin/audit.csv': { level: 'admin' },
  'GET /api/admin/flags': { level: 'admin' },
  'PUT /api/admin/flags/{name}': {
    level: 'admin',
    parameters: () => ({ name: 'exports.enabled' }),
    body: () => ({ value: true }),
  },
  'DELETE /api/admin/flags/{name}': { level: 'admin', parameters: () => ({ name: 'exports.enabled' }) },
  'GET /api/admin/projects': { level: 'admin' },
  'POST /api/admin/projects/{id}/transfer': {
    level: 'admin',
    body: () => ({ newOwnerEmail: 'nobody@mail.example' }),
  },
  'GET /api/admin/jobs': { level: 'admin' },
  'POST /api/admin/jobs/retry': { level: 'admin', body: () => ({ queue: 'events' }) },
  'POST /api/admin/jobs/{id}/discard': { level: 'admin', body: () => ({}) },
  'POST /api/admin/jobs/{id}/retry': { level: 'admin', body: () => ({}) },
  'GET /api/admin/apps': { level: 'admin' },
  'POST /api/admin/apps/block': { level: 'admin', body: () => ({ clientId: 'no app' }) },
  'POST /api/admin/apps/revoke': { level: 'admin', body: () => ({ clientId: 'no app' }) },
  'POST /api/admin/apps/unblock': { level: 'admin', body: () => ({ clientId: 'no app' }) },
  'DELETE /api/admin/connections/{id}': { level: 'admin' },
  'POST /api/admin/invites': { level: 'admin', body: () => ({ email: 'no address' }) },
  'GET /api/admin/overview': { level: 'admin' },
  'GET /api/admin/people': { level: 'admin' },
  'POST /api/admin/people': { level: 'admin', body: () => ({ email: 'no address', displayName: '' }) },
  'GET /api/admin/people/{id}': { level: 'admin' },
  'POST /api/admin/people/{id}/delete': { level: 'admin', body: () => ({}) },
  'POST /api/admin/people/{id}/demote': { level: 'admin', body: () => ({}) },
  'POST /api/admin/people/{id}/promote': { level: 'admin', body: () => ({}) },
  'POST /api/admin/people/{id}/reinstate': { level: 'admin', body: () => ({}) },
  'POST /api/admin/people/{id}/reset-link': { level: 'admin', body: () => ({}) },
  'POST /api/admin/people/{id}/suspend': { level: 'admin', body: () => ({}) },
  'POST /api/admin/people/{id}/verify': { level: 'admin', body: () => ({}) },
  'DELETE /api/admin/sessions/{id}': { level: 'admin' },
  'GET /api/admin/status': { level: 'admin' },

  'PUT /api/connection/label': { level: 'agent', body: () => ({ label: 'build-mac' }) },
  'GET /api/me': { level: 'agent' },

  'GET /api/live': { level: 'session', query: () => '?topics=me' },
  'GET /api/search': { level: 'session', query: () => '?q=plan' },
  'GET /api/search-languages': { level: 'session' },
  'GET /api/session': { level: 'session' },
  'POST /api/session/last-project': { level: 'read', body: ({ projectId }) => ({ projectId }) },

  'GET /api/projects': { level: 'session' },
  'POST /api/projects': { level: 'session', body: () => ({ name: 'One more' }) },
  'GET /api/projects/{projectId}': { level: 'read' },
  'PATCH /api/projects/{projectId}': {
    level: 'administer',
    body: ({ projectVersion }) => ({ description: 'Changed', version: projectVersion }),
  },
  'PUT /api/projects/{projectId}/origins': {
    level: 'administer',
    body: ({ projectVersion }) => ({ origins: ['https://a.example.com'], version: projectVersion }),
  },
  'POST /api/projects/{projectId}/delete': { level: 'owner', body: () => ({ typedName: 'not its name' }) },
  'POST /api/projects/{projectId}/transfer': { level: 'owner', body: () => ({ personId: NOWHERE }) },
  'GET /api/projects/{projectId}/members': { level: 'read' },
  'PATCH /api/projects/{projectId}/members/{personId}': {
    level: 'administer',
    foreign: UNKNOWN,
    parameters: ({ memberId }) => ({ personId: memberId }),
    body: () => ({ role: 'viewer', version: 1 }),
  },
  'DELETE /api/projects/{projectId}/members/{personId}': {
    level: 'administer',
    foreign: UNKNOWN,
    parameters: ({ memberId }) => ({ personId: memberId }),
  },
  'GET /api/projects/{projectId}/invitations': { level: 'administer' },
  'POST /api/projects/{projectId}/invitations': {
    level: 'administer',
    body: () => ({ role: 'viewer' }),
  },
  'POST /api/projects/{projectId}/invitations/{id}/resend': {
    level: 'administer',
    foreign: UNKNOWN,
    parameters: ({ invitationId }) => ({ id: invitationId }),
    body: () => ({}),
  },
  'DELETE /api/projects/{projectId}/invitations/{id}': {
    level: 'administer',
    foreign: UNKNOWN,
    parameters: ({ invitationId }) => ({ id: invitationId }),
  },
  'GET /api/invitations/{token}': { level: 'session', parameters: () => ({ token: 'unknown' }) },
  'POST /api/invitations/{token}/accept': {
    level: 'session',
    parameters: () => ({ token: 'unknown' }),
    body: () => ({}),
  },
  'POST /api/invitations/{token}/decline': {
    level: 'session',
    parameters: () => ({ token: 'unknown' }),
    body: () => ({}),
  },
  'GET /api/projects/{projectId}/connect': { level: 'read' },
  'GET /api/projects/{projectId}/machines': { level: 'read' },

  'GET /api/projects/{projectId}/documents': { level: 'read' },
  'POST /api/projects/{projectId}/documents': {
    level: 'contribute',
    body: () => ({ title: 'Another', markdown: '# Another' }),
  },
  'POST /api/projects/{projectId}/documents/preview': {
    level: 'contribute',
    body: () => ({ markdown: '# Shown' }),
  },
  'GET /api/projects/{projectId}/documents/series': { level: 'read' },
  'PATCH /api/projects/{projectId}/documents/series/{seriesId}': {
    level: 'contribute',
    parameters: ({ seriesId }) => ({ seriesId }),
    body: () => ({ name: 'Renamed' }),
  },
  'GET /api/projects/{projectId}/documents/tags': { level: 'read' },
  'GET /api/projects/{projectId}/documents/{id}': { level: 'read' },
  'PATCH /api/projects/{projectId}/documents/{id}': { level: 'contribute', body: () => ({ tags: ['plan'] }) },
  'GET /api/projects/{projectId}/documents/{id}/review': { level: 'read' },
  'GET /api/projects/{projectId}/documents/{id}/versions': { level: 'read' },
  'GET /api/projects/{projectId}/documents/{id}/versions/{number}': {
    level: 'read',
    parameters: () => ({ number: '1' }),
  },
  'GET /api/projects/{projectId}/documents/{id}/versions/{number}.md': {
    level: 'read',
    parameters: () => ({ number: '1' }),
  },
  'GET /api/projects/{projectId}/documents/{id}/diff': {
    level: 'read',
    query: () => '?from=1&to=1',
  },
  'GET /api/projects/{projectId}/documents/{id}/deleted-threads': { level: 'read' },
  'POST /api/projects/{projectId}/documents/{id}/read': { level: 'read', body: () => ({ version: 1 }) },
  'POST /api/projects/{projectId}/documents/{id}/comments': {
    level: 'contribute',
    body: () => ({ version: 1, body: 'A comment' }),
  },
  'GET /api/projects/{projectId}/documents/{id}/comments/{cid}': { level: 'read', parameters: comment },
  'PATCH /api/projects/{projectId}/documents/{id}/comments/{cid}': {
    level: 'contribute',
    parameters: comment,
    body: () => ({ body: 'Said otherwise' }),
  },
  'PUT /api/projects/{projectId}/documents/{id}/comments/{cid}/anchor': {
    level: 'contribute',
    parameters: comment,
    body: () => ({ version: 1, anchor: { quote: 'Plan', start: 0 } }),
  },
  'POST /api/projects/{projectId}/documents/{id}/comments/{cid}/replies': {
    level: 'contribute',
    parameters: comment,
    body: () => ({ body: 'A reply' }),
  },
  'POST /api/projects/{projectId}/documents/{id}/comments/{cid}/resolve': {
    level: 'contribute',
    parameters: comment,
    body: () => ({}),
  },
  'POST /api/projects/{projectId}/documents/{id}/comments/{cid}/reopen': {
    level: 'contribute',
    parameters: comment,
    body: () => ({}),
  },
  'POST /api/projects/{projectId}/documents/{id}/comments/{cid}/delete': {
    level: 'contribute',
    parameters: comment,
    body: () => ({}),
  },
  'POST /api/projects/{projectId}/documents/{id}/comments/{cid}/restore': {
    level: 'contribute',
    parameters: comment,
    body: () => ({}),
  },
  'POST /api/projects/{projectId}/documents/{id}/comments/{cid}/purge': {
    level: 'contribute',
    parameters: ({ deletedCommentId }) => ({ cid: deletedCommentId }),
    body: () => ({}),
  },
  'PUT /api/projects/{projectId}/documents/{id}/decisions/{decisionId}': {
    level: 'contribute',
    parameters: () => ({ decisionId: 'store' }),
    body: () => ({ version: 1, indexes: [0], labels: ['Files'] }),
  },
  'PUT /api/projects/{projectId}/documents/{id}/sections/{headingId}': {
    level: 'contribute',
    parameters: ({ headingId }) => ({ headingId }),
    body: () => ({ version: 1, approved: true }),
  },
  'POST /api/projects/{projectId}/documents/{id}/verdicts': {
    level: 'contribute',
    body: () => ({ version: 1, verdict: 'approved' }),
  },
  'POST /api/projects/{projectId}/documents/{id}/verdicts/{verdictId}/withdraw': {
    level: 'contribute',
    ownOnly: true,
    parameters: ({ verdictId }) => ({ verdictId }),
    body: () => ({}),
  },
  'POST /api/projects/{projectId}/documents/{id}/versions': {
    level: 'contribute',
    body: () => ({ markdown: '# Plan\n\nNew text.', description: 'New', baseVersion: 1 }),
  },
  'POST /api/projects/{projectId}/documents/{id}/publish': { level: 'contribute', body: () => ({}) },
  'POST /api/projects/{projectId}/documents/{id}/archive': {
    level: 'contribute',
    body: () => ({ reason: 'Done' }),
  },
  'POST /api/projects/{projectId}/documents/{id}/unarchive': { level: 'contribute', body: () => ({}) },

  ...BOARD_ROUTES,
  ...ARTIFACT_ROUTES,
  ...CHART_ROUTES,
};

export interface ToolAccess {
  readonly level: 'read' | 'contribute' | 'administer';
  /** In the order in which they are asked; with the sentence of each (`platform.md` 2.1). */
  readonly flags?: Readonly<Record<string, string>>;
  readonly input?: (things: Things) => object;
  /** Things that the call is about without naming their ids. */
  readonly needs?: readonly (keyof Things)[];
  /** What those who may are told, for a tool whose input here no worker could send. */
  readonly refusedAs?: string;
}

const BOARD_OFF = 'The board is switched off on this instance.';

/** Of the tools for reviewing workers. */
const ofWorkers = {
  level: 'contribute',
  flags: { 'board.enabled': BOARD_OFF },
  refusedAs: 'cardId: Card not found or not accessible.',
} as const;

const ofBoard = { flags: { 'board.enabled': BOARD_OFF } } as const;
const card = ({ cardId }: Things) => ({ cardId });
const SESSION = 'a-session-of-the-matrix';

/** Tools of the board and the workflow (`board.md` 8, `workflow.md` 14). */
const BOARD_TOOLS: Readonly<Record<string, ToolAccess>> = {
  card_create: {
    ...ofBoard,
    level: 'contribute',
    input: ({ documentId, cardId }) => ({
      title: 'By an agent',
      body: '',
      documentIds: [documentId],
      relatedCards: [{ cardId }],
    }),
  },
  card_list: { ...ofBoard, level: 'read', input: ({ cardId }) => ({ parentCardId: cardId }) },
  card_search: { ...ofBoard, level: 'read', input: () => ({ query: 'card' }) },
  card_get: { ...ofBoard, level: 'read', input: card },
  card_get_history: { ...ofBoard, level: 'read', input: card },
  card_update: { ...ofBoard, level: 'contribute', input: ({ cardId }) => ({ cardId, title: 'Renamed' }) },
  card_run_open: {
    ...ofBoard,
    level: 'contribute',
    input: ({ cardId }) => ({ cardId, sessionId: SESSION, name: 'implement' }),
  },
  card_run_close: {
    ...ofBoard,
    level: 'contribute',
    input: ({ cardId }) => ({ cardId, sessionId: SESSION }),
  },
  card_hold: { ...ofBoard, level: 'contribute', input: card },
  card_release: { ...ofBoard, level: 'contribute', input: card },
  card_pause_release: { ...ofBoard, level: 'contribute', input: card },
  board_columns: { ...ofBoard, level: 'read' },
  column_create: { ...ofBoard, level: 'administer', input: () => ({ label: 'Parked' }) },
  column_update: {
    ...ofBoard,
    level: 'administer',
    input: ({ spareColumnSlug }) => ({ slug: spareColumnSlug, label: 'Set aside' }),
  },
  column_reorder: {
    ...ofBoard,
    level: 'administer',
    input: ({ columnSlugs }) => ({ order: [...columnSlugs].reverse() }),
  },
  column_delete: {
    ...ofBoard,
    level: 'administer',
    input: ({ spareColumnSlug }) => ({ slug: spareColumnSlug }),
  },
  workflow_get: { ...ofBoard, level: 'read' },
  automation_settings_update: { ...ofBoard, level: 'administer', input: () => ({ enabled: false }) },
};

const ARTIFACTS_OFF = 'Artifacts are switched off on this instance.';

/** Of the tools for charts; the calls of the matrix name no conversation, so theirs is empty. */
const ofTyped = {
  level: 'read',
  flags: {
    'artifacts.enabled': ARTIFACTS_OFF,
    'artifacts.typed.enabled': 'Typed artifacts are switched off on this instance.',
  },
} as const;

/** Tools for charts of conversations, and their compatibility names (`artifacts.md` 8). */
const TYPED_TOOLS: Readonly<Record<string, ToolAccess>> = {
  artifact_typed_create: {
    ...ofTyped,
    level: 'contribute',
    input: () => ({ type: 'stat', payload: { items: [{ label: 'A', value: 1 }] } }),
    refusedAs:
      'This connection names no conversation. Connect through loupe mcp, or send a Loupe-Session-Id header.',
  },
  artifact_typed_list: ofTyped,
  list_artifacts: ofTyped,
  artifact_typed_get: {
    ...ofTyped,
    input: () => ({ id: 1 }),
    refusedAs: 'Typed artifact #1 was not found in this conversation.',
  },
  get_artifact: { ...ofTyped, input: () => ({ artifact_id: 1 }) },
};

const CREATING_OFF = 'Creating artifacts is switched off on this instance.';
const artifact = ({ artifactId }: Things) => ({ artifactId });

const readingArtifacts = { level: 'read', flags: { 'artifacts.enabled': ARTIFACTS_OFF } } as const;
const creatingArtifacts = {
  level: 'contribute',
  flags: { 'artifacts.enabled': ARTIFACTS_OFF, 'artifacts.create.enabled': CREATING_OFF },
} as const;
const publishingArtifacts = {
  level: 'contribute',
  flags: {
    'artifacts.enabled': ARTIFACTS_OFF,
    'artifacts.publish.enabled': 'Publishing artifacts is switched off on this instance.',
  },
} as const;

/** Tools with a compatibility name that runs the same. */
const UNDER_TWO_NAMES: Readonly<Record<string, ToolAccess>> = {
  artifact_explore: {
    ...creatingArtifacts,
    level: 'read',
    input: ({ artifactId }) => ({ artifactId, action: 'tree' }),
  },
  artifact_create: {
    ...creatingArtifacts,
    input: () => ({ type: 'import', files: { 'index.html': 'By an agent' } }),
  },
  artifact_status: { ...creatingArtifacts, level: 'read', input: artifact },
  artifact_edit: {
    ...creatingArtifacts,
    input: ({ artifactId, revision }) => ({
      artifactId,
      baseRevision: revision,
      commitMessage: 'Edit',
      changes: [{ op: 'write', path: 'more.html', content: 'More' }],
    }),
  },
  artifact_get_git_token: {
    level: 'contribute',
    flags: {
      'artifacts.enabled': ARTIFACTS_OFF,
      'artifacts.git.enabled': 'Git access to artifacts is switched off on this instance.',
    },
    input: artifact,
  },
  artifact_get_zip_upload_url: { ...creatingArtifacts, input: () => ({}) },
  artifact_update_metadata: {
    ...creatingArtifacts,
    input: ({ artifactId }) => ({ artifactId, name: 'Renamed by an agent' }),
  },
  artifact_duplicate: { ...creatingArtifacts, input: artifact },
  artifact_publish: { ...publishingArtifacts, input: artifact },
  artifact_unpublish: { ...publishingArtifacts, input: artifact },
  workspace_list_workspaces: { ...creatingArtifacts, level: 'read' },
};

/** Tools of artifacts but charts (`artifacts.md` 2). */
const ARTIFACT_TOOLS: Readonly<Record<string, ToolAccess>> = {
  artifact_list: readingArtifacts,
  artifact_get: { ...readingArtifacts, input: artifact },
  artifact_read: { ...readingArtifacts, input: ({ artifactId }) => ({ artifactId, path: 'index.html' }) },
  artifact_archive: { ...readingArtifacts, level: 'contribute', input: artifact },
  artifact_unarchive: { ...readingArtifacts, level: 'contribute', input: artifact },
  artifact_set_cards: {
    ...creatingArtifacts,
    input: ({ artifactId, cardId }) => ({ artifactId, cardIds: [cardId] }),
  },
  ...UNDER_TWO_NAMES,
  ...Object.fromEntries(
    Object.entries(UNDER_TWO_NAMES).map(([name, access]) => [name.replace('_', '-'), access]),
  ),
};

const document = ({ documentId }: Things) => ({ documentId });

/** Every tool that `tools/list` names with all flags on. */
export const TOOLS: Readonly<Record<string, ToolAccess>> = {
  project_current: { level: 'read' },
  project_update: { level: 'administer', input: () => ({ description: 'By an agent' }) },
  project_origins_set: { level: 'administer', input: () => ({ origins: ['https://b.example.com'] }) },
  document_create: { level: 'contribute', input: () => ({ title: 'T', markdown: '# T' }) },
  document_revise: {
    level: 'contribute',
    input: ({ documentId }) => ({ documentId, markdown: '# New', description: 'New' }),
  },
  document_publish: { level: 'contribute', input: document },
  document_get: { level: 'read', input: document },
  document_list: { level: 'read' },
  document_get_review: { level: 'read', input: document },
  document_reply_to_comment: {
    level: 'contribute',
    input: ({ commentId }) => ({ commentId, body: 'A reply' }),
  },
  document_mark_comment_addressed: {
    level: 'contribute',
    input: ({ commentId }) => ({ commentIds: [commentId] }),
  },
  document_rename: { level: 'contribute', input: ({ documentId }) => ({ documentId, title: 'Renamed' }) },
  document_archive: { level: 'contribute', input: ({ documentId }) => ({ documentId, reason: 'Done' }) },
  document_unarchive: { level: 'contribute', input: document },
  document_set_tags: { level: 'contribute', input: ({ documentId }) => ({ documentId, tags: ['a'] }) },
  document_set_references: {
    level: 'contribute',
    input: ({ documentId }) => ({ documentId, references: [] }),
  },
  document_set_series: {
    level: 'contribute',
    input: ({ documentId }) => ({ documentId, series: 'S', seriesOrdinal: 2 }),
  },
  tag_list: { level: 'read' },
  series_list: { level: 'read' },
  series_rename: {
    level: 'contribute',
    needs: ['seriesId'],
    input: () => ({ series: 'Phase', newName: 'Phases' }),
  },
  document_highlight: {
    level: 'contribute',
    flags: { 'review.highlights.enabled': 'Highlights are switched off on this instance.' },
    input: ({ documentId }) => ({ documentId, quotes: ['Plan'] }),
  },
  document_review_submit: {
    ...ofWorkers,
    input: ({ documentId }) => ({ cardId: documentId, documentId, version: 1, findings: [] }),
  },
  document_review_answer: {
    ...ofWorkers,
    input: ({ documentId }) => ({
      cardId: documentId,
      documentId,
      answers: [{ findingId: documentId, answer: 'fixed' }],
    }),
  },
  ...BOARD_TOOLS,
  ...TYPED_TOOLS,
  ...ARTIFACT_TOOLS,
};

/**
 * Addresses outside of `/api` that answer everybody alike, signed in or not: what somebody needs before there is an
 * account, and what a program reads that has none.
 */
export const PUBLIC_ADDRESSES: readonly string[] = [
  '/docs',
  '/docs?q=board',
  '/docs/getting-started',
  '/docs/mcp',
  '/docs/images/review.png',
  '/docs/no-such-guide',
  '/about',
  '/setup.md',
  '/setup.md?project=0192f3c4-5d6e-7f80-9123-456789abcdef',
  '/install.sh',
  '/cli/releases.json',
];
