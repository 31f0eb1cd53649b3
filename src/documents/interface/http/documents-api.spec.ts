import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { json } from 'express';
import request from 'supertest';
import { inputPipe } from '#libs/http/input.pipe.js';
import { ProblemFilter } from '#libs/http/problem.filter.js';
import type { PersonActor } from '#libs/kernel/actor.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { DocumentsRig } from '../../testing/documents-rig.js';

const CSRF = 'csrf-of-the-session';

describe('documents over HTTP', () => {
  let postgres: TestDatabase;
  let rig: DocumentsRig;
  let app: NestExpressApplication;
  let reader: PersonActor | null;
  let base: string;

  beforeAll(async () => {
    postgres = await TestDatabase.start();
    rig = await DocumentsRig.start(postgres.database);
    app = rig.application<NestExpressApplication>();
    // What identity's middleware does with the cookie of a session.
    app.use((incoming: Request, _: Response, next: NextFunction) => {
      if (reader) {
        const session = { id: 'session', csrfToken: CSRF, authTime: new Date() };
        incoming.loupe = { person: { actor: reader, session } };
      }
      next();
    });
    app.use('/api', json({ limit: 4 * 1024 * 1024 }));
    app.useGlobalPipes(inputPipe);
    app.useGlobalFilters(new ProblemFilter());
    await app.init();
    base = `/api/projects/${rig.projectId}/documents`;
  });
  afterAll(async () => {
    await app.close();
    await postgres.stop();
  });
  beforeEach(() => {
    reader = rig.owner;
  });

  type Method = 'get' | 'post' | 'put' | 'patch';
  const call = (method: Method, path: string, body?: object) => {
    const sent = request(app.getHttpServer())[method](`${base}${path}`);
    if (method !== 'get') void sent.set('Loupe-Csrf-Token', CSRF);
    return body ? sent.send(body) : sent;
  };

  test('a person writes a document, comments on it, revises it and approves it', async () => {
    const created = await call('post', '', { title: 'Web plan', markdown: 'Words to point at.' }).expect(201);
    expect(created.body).toEqual({ id: expect.any(String), version: 1, status: 'draft', warnings: [] });
    const at = `/${created.body.id}`;
    expect((await call('post', `${at}/publish`).expect(200)).body).toEqual({
      id: created.body.id,
      status: 'in-review',
      archived: false,
    });
    const thread = await call('post', `${at}/comments`, {
      version: 1,
      anchor: { quote: 'point', start: 9 },
      body: 'Where?',
    }).expect(201);
    expect(thread.body).toEqual({
      id: expect.any(String),
      status: 'pending',
      orphaned: false,
      moved: false,
      anchor: { quote: 'point', start: 9, end: 14 },
      replacement: null,
      body: 'Where?',
      bodyHtml: expect.stringContaining('Where?'),
      author: { kind: 'person', personId: rig.owner.personId, name: 'Ada Owner' },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      mayEdit: true,
      replies: [],
    });
    const reply = await call('post', `${at}/comments/${thread.body.id}/replies`, { body: 'There.' }).expect(
      201,
    );
    expect(reply.body).toMatchObject({ body: 'There.', author: { name: 'Ada Owner' } });
    for (const [action, status] of [
      ['resolve', 'resolved'],
      ['reopen', 'pending'],
    ])
      expect((await call('post', `${at}/comments/${thread.body.id}/${action}`).expect(200)).body.status).toBe(
        status,
      );
    const revised = await call('post', `${at}/versions`, {
      markdown: 'Some words to point at.',
      description: 'More words.',
      baseVersion: 1,
    }).expect(201);
    expect(revised.body).toEqual({
      version: 2,
      status: 'in-review',
      carried: 1,
      orphaned: 0,
      sectionsCarried: 0,
      sectionsDropped: 0,
      threads: { stayed: 0, moved: 1, lost: 0 },
      warnings: [],
    });
    const stale = await call('post', `${at}/versions`, { markdown: 'x', description: 'y', baseVersion: 1 });
    expect([stale.status, stale.body]).toMatchObject([409, { error: 'stale', currentVersion: 2 }]);
    const followed = await call('get', `${at}/comments/${thread.body.id}`).expect(200);
    expect(followed.body).toMatchObject({ body: 'Where?', anchor: { quote: 'point', start: 14 } });
    expect(followed.body.id).not.toBe(thread.body.id);
    const overtaken = await call('post', `${at}/verdicts`, { version: 1, verdict: 'approved' });
    expect([overtaken.status, overtaken.body]).toMatchObject([
      409,
      { error: 'stale_version', currentVersion: 2 },
    ]);
    const needsNote = await call('post', `${at}/comments/${thread.body.id}/resolve`);
    expect([needsNote.status, needsNote.body.error]).toEqual([409, 'stale_version']);
    const verdict = await call('post', `${at}/verdicts`, {
      version: 2,
      verdict: 'approved',
      note: 'Good.',
      previousVerdictId: null,
    }).expect(201);
    expect(verdict.body).toMatchObject({ verdict: 'approved', yours: true, noteHtml: expect.any(String) });
    const withdrawn = await call('post', `${at}/verdicts/${verdict.body.id}/withdraw`).expect(200);
    expect(withdrawn.body).toEqual({ id: created.body.id, status: 'in-review' });
    await call('post', `${at}/read`, { version: 2 }).expect(204);
    const page = await call('get', `${at}/review`).expect(200);
    expect(page.body).toMatchObject({
      document: { id: created.body.id, currentVersion: 2 },
      version: { number: 2, isCurrent: true, author: { kind: 'person', name: 'Ada Owner' } },
      counts: { pending: 1, addressed: 0, resolved: 0, orphaned: 0 },
      lastSeenVersion: 2,
      mayContribute: true,
    });
    expect((await call('get', `${at}/review?version=1`).expect(200)).body.version.number).toBe(1);
    expect((await call('get', `${at}/versions/1`).expect(200)).body.version.number).toBe(1);
    expect(
      (await call('get', `${at}/versions`).expect(200)).body.versions.map(
        (v: { number: number }) => v.number,
      ),
    ).toEqual([2, 1]);
    expect((await call('get', `${at}/diff?from=1&to=2`).expect(200)).body).toMatchObject({
      from: 1,
      to: 2,
      view: 'rendered',
    });
  });

  test('documents 15.61: an unknown number of a version is 404', async () => {
    const { documentId } = await rig.create();
    for (const path of [
      'versions/99',
      'versions/99.md',
      'versions/x',
      'review?version=0',
      'diff?from=1&to=9',
    ])
      expect([path, (await call('get', `/${documentId}/${path}`)).status]).toEqual([path, 404]);
  });

  test('the Markdown comes as a plain file to keep', async () => {
    const { documentId } = await rig.create({ markdown: '<script>alert(1)</script> **bold**' });
    const file = await call('get', `/${documentId}/versions/1.md`).expect(200);
    expect(file.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'attachment; filename="a-plan-v1.md"',
    });
    expect(file.text).toBe('<script>alert(1)</script> **bold**');
  });

  test('wrong fields come back all at once, wrong types and unknown ones by name', async () => {
    const blank = await call('post', '', { title: '', markdown: ' ', language: 'klingon' });
    expect(blank.status).toBe(422);
    expect(Object.keys(blank.body.fields)).toEqual(['title', 'markdown', 'language']);
    const shapes = await call('post', '', { title: 7, tags: 'x', surprise: true });
    expect(shapes.status).toBe(422);
    expect(Object.keys(shapes.body.fields).sort()).toEqual(['surprise', 'tags', 'title']);
    const { documentId } = await rig.create();
    const nowhere = await call('post', `/${documentId}/comments`, {
      version: 1,
      anchor: { quote: 'not there at all', start: 0 },
      body: 'x',
    });
    expect([nowhere.status, nowhere.body]).toMatchObject([
      422,
      { error: 'no_anchor', fields: { anchor: 'The selected text is not in this version.' } },
    ]);
    const wordless = await call('post', `/${documentId}/verdicts`, {
      version: 1,
      verdict: 'changes-requested',
    });
    expect([wordless.status, wordless.body.error]).toEqual([422, 'note_required']);
  });

  test('labels are changed in place; a taken position is a conflict', async () => {
    const first = await rig.create({ title: 'Holder', series: 'HTTP', seriesOrdinal: 1 });
    const second = await rig.create();
    const changed = await call('patch', `/${second.documentId}`, {
      title: 'Renamed',
      tags: ['B', 'a'],
    }).expect(200);
    expect(changed.body).toMatchObject({
      id: second.documentId,
      title: 'Renamed',
      tags: ['a', 'b'],
      version: 1,
    });
    const taken = await call('patch', `/${second.documentId}`, { series: 'HTTP', seriesOrdinal: 1 });
    expect([taken.status, taken.body.error]).toEqual([409, 'taken']);
    const out = await call('patch', `/${first.documentId}`, { series: null }).expect(200);
    expect(out.body).toMatchObject({ series: null, seriesOrdinal: null });
    const tags = await call('get', '/tags').expect(200);
    expect(tags.body.tags).toContainEqual({ name: 'a', documentCount: 1 });
    const series = await call('get', '/series').expect(200);
    const renamed = await call('patch', `/series/${series.body.series[0].id}`, { name: 'Over HTTP' }).expect(
      200,
    );
    expect(renamed.body).toMatchObject({ name: 'Over HTTP', documentCount: 0 });
  });

  test('decisions and sections are answered, and archived documents refuse', async () => {
    const { documentId } = await rig.create({
      markdown: '## Part\n\n<!-- decision: d -->\n\nWhich?\n\n- A\n- B\n\n<!-- /decision -->\n',
    });
    const decision = await call('put', `/${documentId}/decisions/d`, {
      version: 1,
      indexes: [1],
      labels: ['B'],
    }).expect(200);
    expect(decision.body).toMatchObject({
      id: 'd',
      options: [
        { label: 'A', recommended: null },
        { label: 'B', recommended: null },
      ],
      selections: [{ label: 'B', index: 1 }],
      updatedBy: 'Ada Owner',
    });
    const section = await call('put', `/${documentId}/sections/heading-part`, {
      version: 1,
      approved: true,
    }).expect(200);
    expect(section.body).toMatchObject({ headingId: 'heading-part', approvals: 1, approvedByYou: true });
    await call('put', `/${documentId}/decisions/other`, { version: 1, note: 'x' }).expect(404);
    const archived = await call('post', `/${documentId}/archive`, { reason: 'Done.' }).expect(200);
    expect(archived.body).toMatchObject({ archived: true });
    const refused = await call('put', `/${documentId}/decisions/d`, { version: 1, note: 'x' });
    expect([refused.status, refused.body.error]).toEqual([409, 'archived']);
    const list = await call('get', '?archived=1').expect(200);
    expect(list.body.documents).toContainEqual(
      expect.objectContaining({ id: documentId, archived: true, archiveReason: 'Done.' }),
    );
    const ids = (await call('get', '').expect(200)).body.documents.map((row: { id: string }) => row.id);
    expect(ids).not.toContain(documentId);
    await call('post', `/${documentId}/unarchive`).expect(200);
  });

  test('a preview stores nothing', async () => {
    const before = (await call('get', '').expect(200)).body.total;
    const preview = await call('post', '/preview', { markdown: '**bold** <script>x</script>' }).expect(200);
    expect(preview.body).toMatchObject({
      html: expect.stringContaining('<strong>bold</strong>'),
      warnings: [],
    });
    expect(preview.body.html).not.toContain('<script');
    expect((await call('get', '').expect(200)).body.total).toBe(before);
  });

  test('documents 15.64: strangers get 404 everywhere, viewers 403 on writes, and a missing token is refused', async () => {
    const { documentId } = await rig.create();
    const commentId = await rig.comment(documentId, null);
    const at = `/${documentId}`;
    const reads = [
      '',
      '/tags',
      '/series',
      at,
      `${at}/review`,
      `${at}/versions`,
      `${at}/versions/1`,
      `${at}/versions/1.md`,
      `${at}/diff?from=1&to=1`,
      `${at}/deleted-threads`,
      `${at}/comments/${commentId}`,
    ];
    const writes: [Method, string, object][] = [
      ['post', '', { title: 'x', markdown: 'y' }],
      ['post', '/preview', { markdown: 'y' }],
      ['patch', at, { title: 'x' }],
      ['post', `${at}/publish`, {}],
      ['post', `${at}/archive`, {}],
      ['post', `${at}/unarchive`, {}],
      ['post', `${at}/versions`, { markdown: 'x', description: 'y', baseVersion: 1 }],
      ['post', `${at}/comments`, { version: 1, body: 'x' }],
      ['patch', `${at}/comments/${commentId}`, { body: 'x' }],
      ['post', `${at}/comments/${commentId}/replies`, { body: 'x' }],
      ['post', `${at}/comments/${commentId}/resolve`, {}],
      ['post', `${at}/comments/${commentId}/reopen`, {}],
      ['post', `${at}/comments/${commentId}/delete`, {}],
      ['post', `${at}/comments/${commentId}/restore`, {}],
      ['post', `${at}/comments/${commentId}/purge`, {}],
      ['put', `${at}/comments/${commentId}/anchor`, { version: 1, anchor: { quote: 'x', start: 0 } }],
      ['put', `${at}/decisions/d`, { version: 1, note: 'x' }],
      ['put', `${at}/sections/heading-x`, { version: 1, approved: true }],
      ['post', `${at}/verdicts`, { version: 1, verdict: 'approved' }],
      ['post', `${at}/verdicts/${commentId}/withdraw`, {}],
      ['patch', `/series/${commentId}`, { name: 'x' }],
    ];
    for (const who of [rig.viewer, rig.stranger]) {
      reader = who;
      for (const path of reads)
        expect([path, (await call('get', path)).status]).toEqual([path, who === rig.viewer ? 200 : 404]);
      for (const [method, path, body] of writes) {
        const { status } = await call(method, path, body);
        expect([method, path, status]).toEqual([method, path, who === rig.viewer ? 403 : 404]);
      }
    }
    reader = rig.viewer;
    await call('post', `${at}/read`, { version: 1 }).expect(204);
    reader = rig.owner;
    for (const [method, path, body] of writes) {
      const response = await request(app.getHttpServer())[method](`${base}${path}`).send(body);
      expect([path, response.status, response.body.error]).toEqual([path, 403, 'csrf']);
    }
    reader = null;
    await call('get', at).expect(401);
    reader = rig.owner;
    await call('get', '/not-an-id').expect(404);
    await request(app.getHttpServer()).get('/api/projects/nope/documents').expect(404);
  });
});
