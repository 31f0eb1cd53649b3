import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { LoupeServer } from '../support/loupe-server.js';
import {
  ADMIN,
  addMember,
  addPerson,
  adminEnv,
  callTool,
  liftRateLimit,
  mcp,
  newProject,
  signedIn,
  sql,
} from '../support/settled-server.js';
import { until } from '../support/until.js';
import type { Visitor } from '../support/visitor.js';
import type { Column } from './access-columns.js';
import { PUBLIC_ADDRESSES, ROUTES, type RouteLevel, type Things, TOOLS } from './access-levels.js';
import { isOfProject, type Row, rowOfRoute, rowOfTool } from './access-table.js';

const ROLES = ['owner', 'maintainer', 'member', 'viewer', 'stranger', 'suspended'] as const;
type Role = (typeof ROLES)[number];
type Joining = 'maintainer' | 'member' | 'viewer';

const MARKDOWN = `# Plan

The plan of the matrix.

## Part

<!-- decision: store -->

Which store?

- Files
- Database

<!-- /decision -->
`;

let addresses = 0;

/** Of an address alone only 60 bad tokens a minute are looked at. */
function anotherAddress(): string {
  addresses += 1;
  return `198.51.${addresses >> 8}.${addresses & 255}`;
}

const described = JSON.parse(readFileSync(join(applicationRoot, 'docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, unknown>>;
};
const routes = Object.entries(described.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
);

/** Rank of roles by what they include. */
const REACH: Record<'read' | 'contribute' | 'administer' | 'owner', readonly Role[]> = {
  read: ['viewer', 'member', 'maintainer', 'owner'],
  contribute: ['member', 'maintainer', 'owner'],
  administer: ['maintainer', 'owner'],
  owner: ['owner'],
};

/** Only to see which tools take an id of a document, comment or card. */
const sample: Things = {
  projectId: 'project',
  documentId: 'document',
  commentId: 'comment',
  deletedCommentId: 'comment',
  verdictId: 'verdict',
  seriesId: 'series',
  headingId: 'heading',
  projectVersion: 1,
  cardId: 'card',
  cardNumber: 1,
  columnId: 'column',
  columnSlug: 'next',
  finishingColumnId: 'column',
  spareColumnId: 'column',
  spareColumnSlug: 'spare',
  columnIds: ['column'],
  columnSlugs: ['next'],
  columnsRevision: 1,
  spareColumnRevision: 1,
  automationVersion: 1,
  artifactId: 'artifact',
  revision: 'revision',
  workspaceId: 'workspace',
  chartId: 1,
  invitationId: 'invitation',
  memberId: 'member',
};

/** Every route and every tool, called as everybody who may not, and as everybody who may (`DESIGN` 8). */
describe('the access matrix', () => {
  let server: LoupeServer;
  let admin: Visitor;
  const people = {} as Record<Role, Visitor>;
  const ids = {} as Record<Role | 'admin', string>;
  /** Sessions of the owner in turn: one alone would be over its 1,200 requests a minute. */
  const owners: Visitor[] = [];
  const csrf = new Map<Visitor, string>();
  let things: Things;
  let foreign: Things;
  let charts = 0;
  /** Another project of the owner. */
  let secondProjectId: string;
  /** The owner, with a session whose time is over. */
  let expired: Visitor;

  beforeAll(async () => {
    server = await LoupeServer.start({ env: adminEnv });
    admin = await signedIn(server.origin);
    await liftRateLimit(admin);
    await keepCsrf(admin);
    for (const flag of ['artifacts.enabled', 'artifacts.publish.enabled']) await setFlag(flag, true);
    for (const limit of ['creates', 'uploads', 'git_tokens'])
      await setFlag(`artifacts.${limit}_per_hour`, 100_000);
    for (const role of ROLES) {
      const email = `${role}@mail.example`;
      ids[role] = await addPerson(server, email, `Person ${role}`);
      people[role] = await signedIn(server.origin, email);
      await keepCsrf(people[role]);
    }
    // A session may send 1,200 requests a minute; a quick machine sends more than that.
    for (let at = 0; at < 16; at += 1) owners.push(await signedIn(server.origin, 'owner@mail.example'));
    expired = await signedIn(server.origin, 'owner@mail.example');
    await sql(
      server,
      `UPDATE identity.web_sessions SET expires_at = now() - interval '1 second'
        WHERE id = (SELECT id FROM identity.web_sessions WHERE person_id = $1 ORDER BY created_at DESC LIMIT 1)`,
      [ids.owner],
    );
    const [first] = await sql<{ id: string }>(
      server,
      'SELECT id FROM identity.persons WHERE email_lower = $1',
      [ADMIN.email],
    );
    ids.admin = first!.id;
    things = await makeThings(people.owner, 'Matrix');
    foreign = await makeThings(people.stranger, 'Elsewhere');
    secondProjectId = await newProject(people.owner, 'Second');
    for (const role of ['maintainer', 'member', 'viewer'] as const) {
      await addMember(server, things.projectId, ids[role], role);
    }
    await addMember(server, things.projectId, ids.suspended, 'member');
    await sql(server, 'UPDATE identity.persons SET suspended_at = now() WHERE id = $1', [ids.suspended]);
    // However long the suite takes, nobody is asked for the password again.
    await sql(server, "UPDATE identity.web_sessions SET auth_time = now() + interval '1 hour'");
  }, 120_000);

  afterAll(() => server?.stop());

  it('knows every route of docs/openapi.json and no other', () => {
    expect(Object.keys(ROUTES).sort()).toEqual([...routes].sort());
  });

  describe('routes', () => {
    let before: string;

    beforeAll(async () => {
      before = await fingerprint();
    });

    afterAll(async () => {
      // A refusal changes nothing.
      expect(await fingerprint()).toBe(before);
    });

    it.each(routes)('%s refuses everybody who may not', async (route) => {
      const { level, bridges, programs, foreign: unknownThing, foreignCard } = ROUTES[route]!;
      const seen: Record<string, unknown> = {};
      const expected: Record<string, unknown> = {};
      const row = rowOfRoute(ROUTES[route]!);
      /** A column of docs/access.md says what the row says. */
      const note = (who: string, wanted: string, got: { status: number; error: string }, column?: Column) => {
        expected[who] = wanted;
        seen[who] = `${got.status} ${got.error}`;
        if (column) expect([column, wanted.split(' ')[0]]).toEqual([column, row[column]]);
      };
      const isRead = route.startsWith('GET ');
      if (level === 'agent') {
        note('no sign-in', '401 unauthorized', await call(route, {}), 'anonymous');
        const old = await grant('owner', ['agent', 'mcp', 'projects'], null, '-1 second');
        note('expired token', '401 invalid_token', await call(route, { token: old }), 'expired');
        note('session of a person', '401 unauthorized', await call(route, { as: people.owner }));
        note('unknown token', '401 invalid_token', await call(route, { token: 'x'.repeat(43) }));
        for (const scopes of [['mcp'], ['site-review']]) {
          const token = await grant('owner', scopes, things.projectId);
          // A token of the door of /mcp names another audience, so /api does not know it.
          const wanted = scopes[0] === 'mcp' ? '401 invalid_token' : '403 insufficient_scope';
          note(`scope ${scopes}`, wanted, await call(route, { token }));
        }
        const wide = await grant('owner', ['mcp', 'projects']);
        note(
          'scope mcp, audience of all',
          '403 insufficient_scope',
          await call(route, { token: wide }),
          'wrong scope',
        );
        const token = await grant('suspended', ['agent', 'mcp', 'projects']);
        note('suspended person', '401 invalid_token', await call(route, { token }), 'suspended');
      } else {
        const hidden = level === 'admin';
        const unknown = hidden ? '404 not_found' : '401 unauthenticated';
        note('no sign-in', unknown, await call(route, {}), 'anonymous');
        note('expired session', unknown, await call(route, { as: expired }), 'expired');
        note('suspended person', unknown, await call(route, { as: people.suspended }), 'suspended');
        if (bridges || programs) {
          const old = await grant('owner', ['agent', 'mcp', 'projects'], null, '-1 second');
          const got = await call(route, { token: old });
          note('expired token', programs ? '401 invalid_token' : unknown, got, 'expired');
        }
        const token = await grant('owner', ['agent', 'mcp', 'projects']);
        if (programs) await notePrograms(route, level, note);
        else if (!bridges) {
          const got = await call(route, { as: people.owner, token });
          note('token beside the session', unknown, got, 'wrong scope');
        } else if (isRead) await noteBridges(route, note);
        else {
          note('token beside the session', '403 forbidden', await call(route, { as: people.owner, token }));
          note('bridge', '403 forbidden', await call(route, { token }), 'wrong scope');
        }
        const mayCall = hidden ? admin : people.owner;
        if (!isRead) {
          note('no CSRF token', '403 csrf', await call(route, { as: mayCall, csrf: null }));
          note('a wrong CSRF token', '403 csrf', await call(route, { as: mayCall, csrf: 'x'.repeat(43) }));
          const origin = 'https://evil.example';
          note('from another site', '403 csrf', await call(route, { as: mayCall, origin }));
        }
        if (hidden) {
          for (const role of ['owner', 'maintainer', 'member', 'viewer'] as const)
            note(`no admin, ${role}`, '404 not_found', await call(route, { as: people[role] }), role);
          note(
            'no admin, stranger',
            '404 not_found',
            await call(route, { as: people.stranger }),
            'other project',
          );
        }
        if (isOfProject(level)) {
          note('stranger', '404 not_found', await call(route, { as: people.stranger }), 'other project');
          note('admin of the instance', '404 not_found', await call(route, { as: admin }), 'admin');
          for (const role of ['viewer', 'member', 'maintainer'] as const) {
            if (REACH[level].includes(role)) continue;
            note(role, '403 forbidden', await call(route, { as: people[role] }), role);
          }
          if (unknownThing || route.includes('{projectId}/documents/{id}')) {
            const mixed = { ...foreign, projectId: things.projectId };
            note(
              'an id of another project',
              unknownThing ?? '404 not_found',
              await call(route, { as: people.owner, of: mixed }),
            );
          }
          if (foreignCard) {
            const mixed = { ...things, cardId: foreign.cardId };
            note(
              'a card of another project',
              foreignCard,
              await call(route, { as: people.owner, of: mixed }),
            );
          }
        }
      }
      expect(seen).toEqual(expected);
    });

    it('say that the section is switched off to whoever is signed in, and nothing to others', async () => {
      const gated = Object.entries(ROUTES).filter(([, { flag }]) => flag);
      expect(gated.length).toBeGreaterThan(30);
      const first = Object.entries(ROUTES).filter(([, { flagFirst }]) => flagFirst);
      const bridge = await grant('owner', ['agent', 'mcp', 'projects']);
      for (const flag of new Set(gated.map(([, route]) => route.flag!))) {
        await setFlag(flag, false);
        for (const [route, { level, bridges }] of gated.filter(([, one]) => one.flag === flag)) {
          const got = async (how: Parameters<typeof call>[1]) => {
            const { status, error } = await call(route, how);
            return [route, `${status} ${error}`];
          };
          const isRead = route.startsWith('GET ');
          if (level === 'agent' || (bridges && isRead))
            expect(await got({ token: bridge })).toEqual([route, '404 switched_off']);
          if (level === 'agent') continue;
          expect(await got({})).toEqual([route, '401 unauthenticated']);
          for (const role of ['owner', 'viewer', 'stranger'] as const)
            expect(await got({ as: people[role] })).toEqual([route, '404 switched_off']);
          if (!isRead) expect(await got({ as: people.owner, csrf: null })).toEqual([route, '403 csrf']);
        }
        for (const [route] of first.filter(([, one]) => one.flagFirst === flag))
          for (const how of [{}, { as: people.owner }, { as: people.stranger }]) {
            const { status, error } = await call(route, how);
            expect([route, status, error]).toEqual([route, 404, 'switched_off']);
          }
        await setFlag(flag, true);
      }
    });

    /** What a write that programs of the person may use too refuses them. */
    async function notePrograms(
      route: string,
      level: RouteLevel,
      note: (who: string, wanted: string, got: { status: number; error: string }, column?: Column) => void,
    ): Promise<void> {
      note('unknown token', '401 invalid_token', await call(route, { token: 'x'.repeat(43) }));
      const mcpOnly = await grant('owner', ['mcp'], things.projectId);
      note('scope mcp', '401 invalid_token', await call(route, { token: mcpOnly }));
      const wide = await grant('owner', ['mcp', 'projects']);
      const got = await call(route, { token: wide });
      note('scope mcp, audience of all', '403 insufficient_scope', got, 'wrong scope');
      const suspended = await grant('suspended', ['agent', 'mcp', 'projects']);
      note('program of a suspended person', '401 invalid_token', await call(route, { token: suspended }));
      if (!isOfProject(level)) return;
      const viewer = await grant('viewer', ['agent', 'mcp', 'projects']);
      note('program of a viewer', '403 forbidden', await call(route, { token: viewer }));
      const stranger = await grant('stranger', ['agent', 'mcp', 'projects']);
      note('program of a stranger', '404 not_found', await call(route, { token: stranger }));
      const elsewhere = await grant('owner', ['agent', 'mcp', 'projects'], secondProjectId);
      note('program bound elsewhere', '404 not_found', await call(route, { token: elsewhere }));
    }

    /** What a read that bridges may use too refuses them. */
    async function noteBridges(
      route: string,
      note: (who: string, wanted: string, got: { status: number; error: string }, column?: Column) => void,
    ): Promise<void> {
      note('unknown token', '401 unauthenticated', await call(route, { token: 'x'.repeat(43) }));
      const mcpOnly = await grant('owner', ['mcp'], things.projectId);
      note('scope mcp', '401 unauthenticated', await call(route, { token: mcpOnly }));
      const widget = await grant('owner', ['site-review'], things.projectId);
      note('scope site-review', '403 insufficient_scope', await call(route, { token: widget }));
      const wide = await grant('owner', ['mcp', 'projects']);
      const got = await call(route, { token: wide });
      note('scope mcp, audience of all', '403 insufficient_scope', got, 'wrong scope');
      const suspended = await grant('suspended', ['agent', 'mcp', 'projects']);
      note('bridge of a suspended person', '401 unauthenticated', await call(route, { token: suspended }));
      const stranger = await grant('stranger', ['agent', 'mcp', 'projects']);
      note('bridge of a stranger', '404 not_found', await call(route, { token: stranger }));
      const elsewhere = await grant('owner', ['agent', 'mcp', 'projects'], secondProjectId);
      note('bridge bound elsewhere', '404 not_found', await call(route, { token: elsewhere }));
      if (!route.includes('{cardId}')) return;
      const mixed = { ...foreign, projectId: things.projectId };
      const token = await grant('viewer', ['agent', 'mcp', 'projects']);
      note(
        'bridge, a card of another project',
        '404 card_not_found',
        await call(route, { token, of: mixed }),
      );
    }
  });

  describe('routes, once for each who may', () => {
    it.each(routes)('%s lets in who may', async (route) => {
      const { level, ownOnly, bridges, programs } = ROUTES[route]!;
      const callers: [string, Parameters<typeof call>[1]][] = [];
      const row = rowOfRoute(ROUTES[route]!);
      if (level === 'agent') {
        for (const role of ['owner', 'maintainer', 'member', 'viewer', 'stranger', 'admin'] as const)
          callers.push([role, { token: await grant(role, ['agent', 'mcp', 'projects']) }]);
      } else if (level === 'admin') callers.push(['admin', { as: admin }]);
      else if (isOfProject(level)) {
        const needs = needsOf(route);
        for (const role of REACH[level]) {
          const of = route.startsWith('GET ') ? things : await makeThings(nextOwner(), 'Matrix', needs);
          if (of !== things && role !== 'owner')
            await addMember(server, of.projectId, ids[role], role as Joining);
          callers.push([role, { as: people[role], of }]);
        }
      } else {
        // Whoever ends the other sessions would end those that the matrix works with.
        const others = route === 'POST /api/account/sessions/end-others' ? [] : [people.owner, admin];
        for (const as of [people.viewer, people.member, people.maintainer, people.stranger, ...others])
          callers.push(['somebody signed in', { as }]);
      }
      if (programs) callers.push(['program', { token: await grant('owner', ['agent', 'mcp', 'projects']) }]);
      if (bridges && route.startsWith('GET '))
        callers.push(['bridge of a viewer', { token: await grant('viewer', ['agent', 'mcp', 'projects']) }]);
      expect(lettingIn(row)).toEqual(lettingIn(ofCallers(level, ownOnly)));
      for (const [who, how] of callers) {
        const { status, error } = await call(route, how);
        const refused = [401, 403].includes(status) || status >= 500;
        // Ids of sessions, connections and jobs are made up here, so theirs may be unknown.
        const missing = status === 404 && isOfProject(level);
        const expected = ownOnly === true && who !== 'owner';
        expect({ who, status, error, refused: refused || missing }).toMatchObject({ refused: expected });
      }
    });
  });

  describe('tools', () => {
    const flags = [...new Set(Object.values(TOOLS).flatMap(({ flags: names = {} }) => Object.keys(names)))];
    const tokens = {} as Record<Role, string>;
    let adminToken: string;
    let expiredToken: string;

    beforeAll(async () => {
      for (const flag of flags) await setFlag(flag, true);
      for (const role of ROLES) tokens[role] = await grant(role, ['mcp'], things.projectId);
      adminToken = await grant('admin', ['mcp'], things.projectId);
      expiredToken = await grant('owner', ['mcp'], things.projectId, '-1 second');
    });

    it('knows every tool of tools/list with all flags on, and no other; the list depends on no role', async () => {
      for (const role of ['owner', 'member', 'viewer'] as const) {
        const { body } = await mcp(server.origin, tokens[role], 'tools/list');
        expect(body.result!.tools!.map(({ name }) => name).sort()).toEqual(Object.keys(TOOLS).sort());
      }
    });

    it.each(Object.keys(TOOLS))('%s refuses everybody who may not, and changes nothing', async (name) => {
      const { level, input } = TOOLS[name]!;
      const row = rowOfTool(TOOLS[name]!);
      const before = await fingerprint();
      const args = input?.(things) ?? {};
      const seen: Record<string, unknown> = {};
      const expected: Record<string, unknown> = {};
      const note = async (
        who: string,
        wanted: string,
        token: string | null,
        headers: Record<string, string> = {},
        column?: Column,
      ) => {
        expected[who] = wanted;
        if (column) {
          const cell = /^\d{3} /.test(wanted) ? wanted.split(' ')[0] : 'refused';
          expect([column, cell]).toEqual([column, row[column]]);
        }
        const answer = await callTool(server.origin, token, name, args, {
          ...headers,
          'x-forwarded-for': anotherAddress(),
        });
        const refusal = answer.body.result?.isError ? answer.body.result.content![0]!.text : null;
        const { error } = answer.body as unknown as { error?: string };
        seen[who] = answer.status === 200 ? (refusal ?? 'done') : `${answer.status} ${error}`;
      };
      await note('no sign-in', '401 unauthorized', null, {}, 'anonymous');
      await note('unknown token', '401 invalid_token', 'x'.repeat(43));
      await note('expired token', '401 invalid_token', expiredToken, {}, 'expired');
      await note('suspended person', '401 invalid_token', tokens.suspended, {}, 'suspended');
      await note('person of another project', '401 invalid_token', tokens.stranger, {}, 'other project');
      await note('admin of the instance', '401 invalid_token', adminToken, {}, 'admin');
      const agentOnly = await grant('owner', ['agent', 'projects']);
      await note('scope agent', '403 insufficient_scope', agentOnly, {}, 'wrong scope');
      const widget = await grant('owner', ['site-review'], things.projectId);
      await note('scope site-review', '401 invalid_token', widget);
      const cli = await grant('stranger', ['agent', 'mcp', 'projects']);
      await note('login that does not cover it', '403 project_not_covered', cli, {
        'loupe-project-id': things.projectId,
      });
      await note('connection bound elsewhere', '403 project_not_covered', tokens.owner, {
        'loupe-project-id': foreign.projectId,
      });
      if (level !== 'read') {
        await note(
          'viewer',
          level === 'contribute'
            ? 'Your role in this project is viewer, which may only read. Ask the owner or a maintainer for the member role.'
            : 'This needs the maintainer role in the project. Ask its owner.',
          tokens.viewer,
          {},
          'viewer',
        );
      }
      if (level === 'administer') {
        const sentence = 'This needs the maintainer role in the project. Ask its owner.';
        await note('member', sentence, tokens.member, {}, 'member');
      }
      expect(seen).toEqual(expected);
      expect(await fingerprint()).toBe(before);
    });

    it.each(
      Object.keys(TOOLS).filter(
        (name) =>
          !TOOLS[name]!.refusedAs &&
          /document|comment|cardId|artifactId/i.test(JSON.stringify(TOOLS[name]!.input?.(sample))),
      ),
    )('%s says the same for an id of another project as for an unknown one', async (name) => {
      const before = await fingerprint();
      const { input } = TOOLS[name]!;
      const unknown: Things = {
        ...foreign,
        documentId: randomUUID(),
        commentId: randomUUID(),
        cardId: randomUUID(),
        artifactId: randomUUID(),
      };
      const answers = await Promise.all(
        [foreign, unknown].map(async (of) => {
          const { body } = await callTool(server.origin, tokens.owner, name, input!(of));
          return [of.documentId, of.commentId, of.cardId, of.artifactId].reduce(
            (text, id) => text.replaceAll(id, 'ID'),
            JSON.stringify(body.result),
          );
        }),
      );
      expect(answers[0]).toBe(answers[1]);
      expect(answers[0]).toMatch(/not.found/i);
      expect(await fingerprint()).toBe(before);
    });

    it.each(Object.keys(TOOLS))('%s works for each role that may', async (name) => {
      const { level, input, refusedAs } = TOOLS[name]!;
      const refusal = refusedAs ? [{ type: 'text', text: refusedAs }] : null;
      for (const role of REACH[level]) {
        const of = level === 'read' ? things : await makeThings(nextOwner(), 'Matrix', needsOfTool(name));
        if (of !== things && role !== 'owner')
          await addMember(server, of.projectId, ids[role], role as Joining);
        const token = await grant(role, ['mcp'], of.projectId);
        const { status, body } = await callTool(server.origin, token, name, input?.(of) ?? {});
        expect({ role, status, refusal: body.result?.isError ? body.result.content : null }).toEqual({
          role,
          status: 200,
          refusal,
        });
      }
    });

    it.each(Object.entries(TOOLS).filter(([, { flags: names }]) => names))(
      '%s is hidden and refused, before anything else is checked, while its flag is off',
      async (name, { flags: gates }) => {
        for (const [flag, sentence] of Object.entries(gates!)) {
          await setFlag(flag, false);
          await until(async () => {
            const { body } = await mcp(server.origin, tokens.owner, 'tools/list');
            return !body.result!.tools!.some((tool) => tool.name === name);
          });
          for (const role of ['owner', 'viewer'] as const) {
            const { body } = await callTool(server.origin, tokens[role], name, { nonsense: true });
            expect(body.result).toMatchObject({ isError: true, content: [{ text: sentence }] });
          }
          await setFlag(flag, true);
          // So that the next flag is not taken for off because of this one.
          await until(async () => {
            const { body } = await mcp(server.origin, tokens.owner, 'tools/list');
            return body.result!.tools!.some((tool) => tool.name === name);
          });
        }
      },
    );
  });

  describe('pages', () => {
    it('send a visitor to the sign-in, and hide what is not there for somebody behind 404', async () => {
      const project = `/projects/${things.projectId}`;
      const document = `${project}/documents/${things.documentId}/review`;
      const answers = async (who: Visitor | null, path: string) => {
        const url = `${server.origin}${path}`;
        return (who ? await who.request(url) : await fetch(url, { redirect: 'manual' })).status;
      };
      const card = `${project}/board/cards/${things.cardId}`;
      // The flag of the board was just switched on again; a process hears of it a moment later.
      await until(async () => (await answers(people.viewer, `${project}/board`)) === 200);
      for (const path of [project, document, `${project}/connect`, `${project}/board`, card]) {
        expect([path, await answers(null, path)]).toEqual([path, 303]);
        expect([path, await answers(people.suspended, path)]).toEqual([path, 303]);
        expect([path, await answers(people.stranger, path)]).toEqual([path, 404]);
        expect([path, await answers(admin, path)]).toEqual([path, 404]);
        expect([path, await answers(people.viewer, path)]).toEqual([path, 200]);
      }
      for (const path of ['/admin', '/admin/feature-flags', '/admin/audit-log', '/admin/jobs']) {
        expect([path, await answers(null, path)]).toEqual([path, 303]);
        expect([path, await answers(people.owner, path)]).toEqual([path, 404]);
        expect([path, await answers(admin, path)]).toEqual([path, 200]);
      }
    });
  });

  describe('public addresses', () => {
    it.each(PUBLIC_ADDRESSES)('%s answers everybody alike', async (path) => {
      const url = `${server.origin}${path}`;
      const read = async (response: Response) => ({
        status: response.status,
        cookie: response.headers.get('set-cookie'),
        body: await response.text(),
      });
      const unknown = await read(await fetch(url, { redirect: 'manual' }));
      expect(unknown).toMatchObject({ status: path.endsWith('no-such-guide') ? 404 : 200, cookie: null });
      for (const who of [admin, people.owner, people.viewer, people.stranger, people.suspended])
        expect(await read(await who.request(url))).toEqual(unknown);
      const authorization = `Bearer ${'x'.repeat(43)}`;
      expect(await read(await fetch(url, { headers: { authorization } }))).toEqual(unknown);
      for (const method of ['POST', 'PUT', 'DELETE'])
        expect([method, (await people.owner.request(url, { method })).status]).toEqual([method, 404]);
    });
  });

  function nextOwner(): Visitor {
    owners.push(owners.shift()!);
    return owners[0]!;
  }

  async function keepCsrf(visitor: Visitor): Promise<void> {
    const { body } = await visitor.api<{ csrfToken: string }>('GET', '/session');
    csrf.set(visitor, body.csrfToken);
  }

  async function setFlag(name: string, value: boolean | number): Promise<void> {
    expect((await admin.api('PUT', `/admin/flags/${name}`, { value })).status).toBe(200);
  }

  /** One request to a route. */
  async function call(
    route: string,
    how: { as?: Visitor; token?: string; csrf?: string | null; origin?: string; of?: Things },
  ): Promise<{ status: number; error: string }> {
    const of = how.of ?? things;
    const [method, pattern] = route.split(' ') as [string, string];
    const { parameters, body, query } = ROUTES[route]!;
    const values: Record<string, string> = {
      projectId: of.projectId,
      id: pattern.includes('/documents/') ? of.documentId : randomUUID(),
      ...parameters?.(of),
    };
    const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]!));
    const headers: Record<string, string> = { accept: 'application/json' };
    if (how.token) headers.authorization = `Bearer ${how.token}`;
    if (!how.as) headers['x-forwarded-for'] = anotherAddress();
    if (method !== 'GET') {
      headers['content-type'] = 'application/json';
      headers.origin = how.origin ?? new URL(server.url).origin;
      const token = how.csrf === undefined ? how.as && csrf.get(how.as) : how.csrf;
      if (token) headers['loupe-csrf-token'] = token;
    }
    const stop = new AbortController();
    const init: RequestInit = { method, headers, signal: stop.signal };
    if (body) init.body = JSON.stringify(body(of));
    const url = `${server.origin}${path}${query?.(of) ?? ''}`;
    const response = await (how.as ? how.as.request(url, init) : fetch(url, init));
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
      stop.abort();
      return { status: response.status, error: '' };
    }
    const text = await response.text();
    const { error = '' } = text.startsWith('{') ? (JSON.parse(text) as { error?: string }) : {};
    return { status: response.status, error };
  }

  /** A project with one of each thing, or of those alone that are asked for; the others are ids of nothing. */
  async function makeThings(
    owner: Visitor,
    name: string,
    needs: ReadonlySet<keyof Things> = new Set(Object.keys(sample) as (keyof Things)[]),
  ): Promise<Things> {
    const projectId = await newProject(owner, name);
    const any = (...keys: (keyof Things)[]) => keys.some((key) => needs.has(key));
    const made: { -readonly [Key in keyof Things]?: Things[Key] } = { projectId };
    const post = async <T>(path: string, body: unknown): Promise<T> => {
      const answer = await owner.api<T>('POST', path, body);
      if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const get = async <T>(path: string): Promise<T> => (await owner.api<T>('GET', path)).body;
    if (any('documentId', 'commentId', 'deletedCommentId', 'verdictId', 'seriesId', 'headingId')) {
      const base = `/projects/${projectId}/documents`;
      const { id: documentId } = await post<{ id: string }>(base, {
        title: 'Plan',
        markdown: MARKDOWN,
        series: 'Phase',
        seriesOrdinal: 1,
        draft: false,
      });
      made.documentId = documentId;
      const document = `${base}/${documentId}`;
      if (any('commentId'))
        made.commentId = (
          await post<{ id: string }>(`${document}/comments`, { version: 1, body: 'A remark' })
        ).id;
      if (any('deletedCommentId')) {
        const { id } = await post<{ id: string }>(`${document}/comments`, { version: 1, body: 'Gone' });
        await post(`${document}/comments/${id}/delete`, {});
        made.deletedCommentId = id;
      }
      if (any('verdictId'))
        made.verdictId = (
          await post<{ id: string }>(`${document}/verdicts`, { version: 1, verdict: 'approved' })
        ).id;
      if (any('seriesId')) made.seriesId = (await get<{ series: { id: string }[] }>(base)).series[0]!.id;
      if (any('headingId'))
        made.headingId = (await get<{ outline: { id: string }[] }>(`${document}/review`)).outline.at(-1)!.id;
    }
    if (any('projectVersion'))
      made.projectVersion = (await get<{ version: number }>(`/projects/${projectId}`)).version;
    const board = `/projects/${projectId}/board`;
    if (
      any(
        ...([
          'cardId',
          'cardNumber',
          'columnId',
          'columnSlug',
          'finishingColumnId',
          'spareColumnId',
        ] as const),
        ...([
          'spareColumnSlug',
          'columnIds',
          'columnSlugs',
          'columnsRevision',
          'spareColumnRevision',
        ] as const),
      )
    ) {
      const { columns, columnsRevision } = await post<Columns>(`${board}/columns`, { label: 'Spare' });
      const placed = columns.filter(({ backlog }) => !backlog);
      const spare = placed.at(-1)!;
      Object.assign(made, {
        columnId: placed[0]!.columnId,
        columnSlug: placed[0]!.slug,
        finishingColumnId: placed.find(({ terminal }) => terminal)!.columnId,
        spareColumnId: spare.columnId,
        spareColumnSlug: spare.slug,
        columnIds: placed.map(({ columnId }) => columnId),
        columnSlugs: placed.map(({ slug }) => slug),
        columnsRevision,
        spareColumnRevision: spare.revision,
      });
      if (any('cardId', 'cardNumber')) {
        const { card } = await post<{ card: { cardId: string; number: number } }>(`${board}/cards`, {
          title: 'A card',
          columnId: placed[0]!.columnId,
        });
        made.cardId = card.cardId;
        made.cardNumber = card.number;
      }
    }
    if (any('invitationId'))
      made.invitationId = (
        await post<{ id: string }>(`/projects/${projectId}/invitations`, { role: 'viewer' })
      ).id;
    if (any('memberId')) {
      made.memberId = randomUUID();
      await addMember(server, projectId, made.memberId, 'member');
    }
    if (any('automationVersion'))
      made.automationVersion = (await get<{ version: number }>(`/projects/${projectId}/automation`)).version;
    if (any('chartId')) made.chartId = await makeChart(projectId);
    const artifacts = `/projects/${projectId}/artifacts`;
    if (any('artifactId', 'revision')) {
      const { artifactId, revision } = await post<{ artifactId: string; revision: string }>(artifacts, {
        type: 'import',
        name: 'Prototype',
        files: { 'index.html': '<h1>Prototype</h1>' },
      });
      made.artifactId = artifactId;
      made.revision = revision;
    }
    if (any('workspaceId'))
      made.workspaceId = (await get<{ workspaces: { workspaceId: string }[] }>(`${artifacts}/workspaces`))
        .workspaces[0]!.workspaceId;
    return { ...sample, ...made };
  }

  /** A chart of a conversation, as an agent would have stored it; a number that another project has not. @returns it */
  async function makeChart(projectId: string): Promise<number> {
    charts += 1;
    await sql(
      server,
      `WITH thread AS (
         INSERT INTO artifacts.typed_thread (id, project_id, session_key, artifact_count, created_at, last_at)
         VALUES (gen_random_uuid(), $1, 'matrix', 1, now(), now()) RETURNING id),
       counted AS (INSERT INTO artifacts.typed_count (project_id, last_id, artifact_count) VALUES ($1, $2, 1))
       INSERT INTO artifacts.typed_artifact (project_id, id, thread_id, type, turn_index, payload, created_at)
       SELECT $1, $2, id, 'stat', 1, '{"items":[{"label":"A","value":1}]}', now() FROM thread`,
      [projectId, charts],
    );
    return charts;
  }

  /** A live connection with a token, as the authorization server would have stored them. */
  async function grant(
    role: Role | 'admin',
    scopes: readonly string[],
    projectId: string | null = null,
    life = '1 hour',
  ): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const connectionId = randomUUID();
    const audience = scopes.includes('projects')
      ? server.url
      : `${server.url}/${scopes.includes('mcp') ? 'mcp' : 'api'}`;
    await sql(
      server,
      `INSERT INTO identity.connections (id, person_id, client_id, client_name, scopes, project_id, audience, created_at, expires_at)
       VALUES ($1, $2, 'https://agent.example/client.json', 'Matrix agent', $3, $4, $5, now(), now() + interval '1 day')`,
      [connectionId, ids[role], scopes, projectId, audience],
    );
    await sql(
      server,
      `INSERT INTO identity.oauth_artefacts (model, id_hash, grant_id, payload, expires_at)
       VALUES ('AccessToken', $1, $2, $3, now() + $4::interval)`,
      [
        createHash('sha256').update(token).digest('hex'),
        connectionId,
        JSON.stringify({ aud: audience, scope: scopes.join(' ') }),
        life,
      ],
    );
    return token;
  }

  /** Everything that a project holds, as one value, but for what jobs add and what the switch of a flag ends. */
  async function fingerprint(): Promise<string> {
    const tables = await sql<{ name: string }>(
      server,
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
       WHERE table_schema IN ('projects', 'documents', 'artifacts', 'board') AND table_type = 'BASE TABLE'
         AND NOT (table_schema = 'artifacts' AND table_name = ANY ($1)) ORDER BY 1`,
      [['bundle', 'git_token', 'preview_build', 'preview_build_file', 'write_lease']],
    );
    const union = tables
      .map(({ name }) => `SELECT '${name}' || t::text AS line FROM ${name} t`)
      .join(' UNION ALL ');
    const [row] = await sql<{ md5: string }>(
      server,
      `SELECT md5(string_agg(line, E'\\n' ORDER BY line)) AS md5 FROM (${union}) AS everything`,
    );
    return row!.md5;
  }
});

type Columns = {
  columns: { columnId: string; slug: string; terminal: boolean; backlog: boolean; revision: number }[];
  columnsRevision: number;
};

/** What the functions of a row look at, so that nothing else has to be made. */
function lookedAt(look: (things: Things) => void): Set<keyof Things> {
  const seen = new Set<keyof Things>();
  const spy = new Proxy(sample, {
    get: (things, key) => {
      seen.add(key as keyof Things);
      return things[key as keyof Things];
    },
  });
  look(spy);
  return seen;
}

function needsOf(route: string): Set<keyof Things> {
  const { parameters, query, body } = ROUTES[route]!;
  const needs = lookedAt((things) => {
    parameters?.(things);
    query?.(things);
    body?.(things);
  });
  if (route.includes('/documents/')) needs.add('documentId');
  return needs;
}

function needsOfTool(name: string): Set<keyof Things> {
  const { input, needs = [] } = TOOLS[name]!;
  return new Set([...lookedAt((things) => input?.(things)), ...needs]);
}

/** Columns whom a row lets in. */
function lettingIn(row: Partial<Row>): string[] {
  return Object.entries(row)
    .filter(([, cell]) => cell === 'yes' || cell === 'own')
    .map(([column]) => column)
    .sort();
}

/** The columns that this suite calls as somebody who may. */
function ofCallers(level: RouteLevel, ownOnly: true | undefined): Partial<Row> {
  if (level === 'admin') return { admin: 'yes' };
  if (isOfProject(level))
    return Object.fromEntries(REACH[level].map((role) => [role, ownOnly ? 'own' : 'yes']));
  const everybody = ['viewer', 'member', 'maintainer', 'owner', 'admin', 'other project'];
  return Object.fromEntries(everybody.map((column) => [column, 'yes']));
}
