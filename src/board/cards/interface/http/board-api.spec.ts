import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { json } from 'express';
import request from 'supertest';
import { inputPipe } from '#libs/http/input.pipe.js';
import { ProblemFilter } from '#libs/http/problem.filter.js';
import type { ConnectionActor, PersonActor } from '#libs/kernel/actor.js';
import { TestDatabase } from '../../../../../test/support/test-database.js';
import { BoardRig } from '../../testing/board-rig.js';

const CSRF = 'csrf-of-the-session';

describe('the board over HTTP', () => {
  let postgres: TestDatabase;
  let rig: BoardRig;
  let app: NestExpressApplication;
  let reader: PersonActor | null;
  let bridge: ConnectionActor | null;

  beforeAll(async () => {
    postgres = await TestDatabase.start();
    rig = await BoardRig.start(postgres.database, null);
    app = rig.application<NestExpressApplication>();
    // What identity's middleware does with the cookie of a session, or with a bearer token.
    app.use((incoming: Request, _: Response, next: NextFunction) => {
      const session = { id: 'session', csrfToken: CSRF, authTime: new Date() };
      if (bridge) incoming.loupe = { connection: bridge };
      else if (reader) incoming.loupe = { person: { actor: reader, session } };
      next();
    });
    app.use('/api', json({ limit: 4 * 1024 * 1024 }));
    app.useGlobalPipes(inputPipe);
    app.useGlobalFilters(new ProblemFilter());
    await app.init();
  });
  afterAll(async () => {
    await app.close();
    await postgres.stop();
  });
  beforeEach(() => {
    reader = rig.owner;
    bridge = null;
    rig.flags.set('board.enabled', null);
  });

  type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
  const call = (method: Method, path: string, body?: object) => {
    const sent = request(app.getHttpServer())[method](`/api/projects/${rig.projectId}/board${path}`);
    if (method !== 'get') void sent.set('Loupe-Csrf-Token', CSRF);
    return body ? sent.send(body) : sent;
  };
  const make = async (body: object = {}) =>
    (await call('post', '/cards', { title: 'A card', ...body }).expect(201)).body;

  test('a card is made, read, changed, moved and deleted', async () => {
    const made = await make({ body: 'Some *words*' });
    const { cardId, number } = made.card;
    expect(made).toEqual({
      card: expect.objectContaining({
        columnId: await rig.column('backlog'),
        contentVersion: 1,
        createdBy: { name: 'Ada Owner' },
        lane: false,
        reporter: 'human',
        sessions: [],
        bodyHtml: '<p>Some *words*</p>',
      }),
      tile: expect.objectContaining({
        cardId,
        number,
        chips: [],
        blockedBy: [],
        held: false,
        progress: null,
      }),
      revision: expect.any(Number),
    });
    const read = await call('get', `/cards/${cardId}`).expect(200);
    expect(read.body).toEqual(made.card);
    expect((await call('get', `/cards/by-number/${number}`).expect(200)).body).toEqual(made.card);
    const changed = await call('patch', `/cards/${cardId}`, { title: 'Other', contentVersion: 1 }).expect(
      200,
    );
    expect(changed.body.card).toMatchObject({ title: 'Other', contentVersion: 2 });
    const stale = await call('patch', `/cards/${cardId}`, { title: 'Mine', contentVersion: 1 }).expect(409);
    expect(stale.body).toMatchObject({
      error: 'card_changed',
      current: { title: 'Other', body: 'Some *words*', contentVersion: 2 },
    });
    const [backlog, next] = [await rig.column('backlog'), await rig.column('next')];
    const moved = await call('post', `/cards/${cardId}/move`, {
      columnId: next,
      fromColumnId: backlog,
    }).expect(200);
    expect(moved.body).toEqual({
      tile: expect.objectContaining({ cardId, columnId: next, status: 'next' }),
      fromColumnId: backlog,
      toColumnId: next,
      position: 0,
      revision: changed.body.revision + 1,
      columns: [
        { columnId: backlog, cards: 0 },
        { columnId: next, cards: 1 },
      ],
      lanes: [],
    });
    const lost = await call('post', `/cards/${cardId}/move`, {
      columnId: next,
      fromColumnId: backlog,
    }).expect(409);
    expect(lost.body).toMatchObject({
      error: 'stale_column',
      columnId: next,
      current: { cardId, columnId: next },
    });
    const history = await call('get', `/cards/${cardId}/history`).expect(200);
    expect(history.body).toMatchObject({ number, total: 2, perPage: 50, hasMore: false });
    expect(history.body.events[0]).toMatchObject({ id: expect.any(String), kind: 'moved', fromParent: null });
    await call('delete', `/cards/${cardId}`, { confirm: number + 1 }).expect(422);
    await call('delete', `/cards/${cardId}`, { confirm: number }).expect(204);
    await call('get', `/cards/${cardId}`).expect(404);
    await call('get', `/cards/${cardId}/tile`).expect(404);
  });

  test('board 15.15 (server): a drop that the workflow does not list is offered with what it allows', async () => {
    const { card } = await make({ columnId: await rig.column('implementation') });
    const columnId = await rig.column('in-review');
    const refused = await call('post', `/cards/${card.cardId}/move`, { columnId }).expect(409);
    expect(refused.body).toMatchObject({
      error: 'not_in_workflow',
      offer: 'make-unmanaged',
      allowed: [await rig.column('backlog'), await rig.column('tech-design')],
      message: 'The workflow does not move this card there. Make it unmanaged and move it?',
    });
    const confirmed = await call('post', `/cards/${card.cardId}/move`, { columnId, makeUnmanaged: true });
    expect(confirmed.body.tile).toMatchObject({ columnId, held: true });
    const gone = await call('post', `/cards/${card.cardId}/move`, { columnId: rig.ids.next() }).expect(409);
    expect(gone.body).toMatchObject({
      error: 'column_gone',
      message: 'That column no longer exists on this board. Name another column.',
    });
  });

  test('a drop into a lane names the parent, and answers the progress of the lanes', async () => {
    const { card: epic } = await make({ type: 'epic' });
    const { card } = await make();
    const columnId = await rig.column('next');
    const into = await call('post', `/cards/${card.cardId}/move`, { columnId, parentCardId: epic.cardId });
    expect(into.body.lanes).toEqual([{ cardId: epic.cardId, progress: { done: 0, total: 1 } }]);
    const kept = await call('post', `/cards/${card.cardId}/move`, { columnId: await rig.column('backlog') });
    expect(kept.body.tile.parentCardId).toBe(epic.cardId);
    const out = await call('post', `/cards/${card.cardId}/move`, { columnId, parentCardId: null });
    expect(out.body).toMatchObject({
      tile: { parentCardId: null },
      lanes: [{ cardId: epic.cardId, progress: { done: 0, total: 0 } }],
    });
    const wrong = await call('post', `/cards/${epic.cardId}/move`, { columnId, parentCardId: card.cardId });
    expect(wrong.status).toBe(422);
    expect(Object.keys(wrong.body.fields)).toEqual(['parentCardId']);
  });

  test('a bulk move answers what it moved, and says which card it could not move', async () => {
    const cards = [await make(), await make()].map(({ card }) => card);
    const cardIds = cards.map((card) => card.cardId);
    const moved = await call('post', '/cards/move', { cardIds, columnId: await rig.column('next') }).expect(
      200,
    );
    expect(moved.body).toMatchObject({ moved: 2, tiles: [{ status: 'next' }, { status: 'next' }] });
    const refused = await call('post', '/cards/move', { cardIds, columnId: await rig.column('in-review') });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      error: 'not_in_workflow',
      cardId: cardIds[0],
      number: cards[0].number,
    });
    await call('post', '/cards/move', { cardIds: [], columnId: await rig.column('next') }).expect(422);
  });

  test('holds, lanes, pauses and sessions answer the card, or why not', async () => {
    const { card } = await make();
    const at = `/cards/${card.cardId}`;
    const held = await call('post', `${at}/hold`, { note: 'Mine' }).expect(200);
    expect(held.body).toMatchObject({ card: { hold: { heldBy: 'Ada Owner' } }, tile: { held: true } });
    expect((await call('post', `${at}/hold`, {}).expect(409)).body.error).toBe('already_held');
    await call('post', `${at}/hold`, { note: 'a\u0000b' }).expect(422);
    expect((await call('post', `${at}/release`).expect(200)).body.card.hold).toBeNull();
    expect((await call('post', `${at}/release`).expect(409)).body.error).toBe('not_held');
    expect((await call('post', `${at}/lane`, { enabled: false }).expect(200)).body.card.laneEnabled).toBe(
      false,
    );
    const pauses = await call('post', `${at}/pauses/${rig.ids.next()}/release`).expect(409);
    expect(pauses.body.error).toBe('pause_changed');
    const runs = await call('post', `${at}/runs/${rig.ids.next()}/close`).expect(409);
    expect(runs.body.error).toBe('not_open');
    await call('post', `/cards/${rig.ids.next()}/hold`, {}).expect(404);
    await call('post', '/cards/nonsense/hold', {}).expect(404);
  });

  test('columns are made, changed, ordered and deleted by forms that know their revision', async () => {
    const made = await call('post', '/columns', { label: 'Parking', colour: 'pink' }).expect(201);
    const { columns, columnsRevision } = made.body;
    const column = columns.at(-1);
    expect(column).toEqual({
      columnId: expect.any(String),
      slug: 'parking',
      label: 'Parking',
      colour: 'pink',
      terminal: false,
      default: false,
      backlog: false,
      cards: 0,
      revision: 0,
    });
    const change = (body: object) => call('patch', `/columns/${column.columnId}`, body);
    await change({ label: 'Lot', revision: 0 }).expect(200);
    const stale = await change({ label: 'Later', revision: 0 }).expect(409);
    expect(stale.body).toMatchObject({
      error: 'columns_changed',
      current: { columns: expect.any(Array), columnsRevision: columnsRevision + 1 },
    });
    const doubled = await change({ label: 'Next', revision: 1 }).expect(422);
    expect(Object.keys(doubled.body.fields)).toEqual(['label']);
    const place = await call('patch', `/columns/${await rig.column('next')}`, {
      terminal: true,
      revision: 0,
    });
    expect([place.status, place.body.error]).toEqual([409, 'workflow_place']);
    const gone = await call('post', `/columns/${column.columnId}/delete`, {}).expect(200);
    expect(gone.body.columns).toHaveLength(columns.length - 1);
    await call('post', `/columns/${column.columnId}/delete`, {}).expect(409);
    await call('patch', '/settings', { finishedWindowDays: 31 }).expect(422);
    await call('patch', '/settings', { finishedWindowDays: 5 }).expect(200);
  });

  test('the board, its lists, changes and suggestions are read', async () => {
    const { card, revision } = await make({ title: 'Needle' });
    const shown = await call('get', '?perColumn=5&lanes=off').expect(200);
    expect(shown.body).toMatchObject({ revision, level: 'administer', workflowOn: true, lanes: [] });
    expect((await call('get', '/backlog?q=needle&sort=type').expect(200)).body).toMatchObject({ total: 1 });
    expect((await call('get', '/list?page=1').expect(200)).body).toMatchObject({ perPage: 50 });
    expect((await call('get', `/terminal/${await rig.column('done')}`).expect(200)).body.total).toBe(0);
    expect((await call('get', `/changes?since=${revision - 1}`).expect(200)).body).toEqual({
      revision,
      columnsRevision: shown.body.columnsRevision,
      cards: [card.cardId],
      deleted: [],
    });
    expect((await call('get', '/changes').expect(200)).body.reload).toBe(true);
    expect((await call('get', '/cards/suggest?q=eedl').expect(200)).body.cards).toHaveLength(1);
    const tiles = await call('get', `/tiles?ids=${card.cardId},nonsense`).expect(200);
    expect(tiles.body).toMatchObject({ tiles: [{ cardId: card.cardId }], missing: ['nonsense'] });
    const more = await call('get', `/tiles?columnId=${card.columnId}&laneId=none&limit=1`).expect(200);
    expect(more.body.tiles).toHaveLength(1);
    await call('get', '/tiles').expect(409);
  });

  test('a document says which cards link it', async () => {
    const { card } = await make();
    const documentId = rig.document();
    const set = await call('put', `/documents/${documentId}/cards`, { cardIds: [card.cardId] }).expect(200);
    const cards = [{ cardId: card.cardId, number: card.number, title: 'A card', terminal: false }];
    expect(set.body).toEqual({ cards });
    expect((await call('get', `/cards?documentId=${documentId}`).expect(200)).body).toEqual({ cards });
    await call('put', `/documents/${rig.ids.next()}/cards`, { cardIds: [] }).expect(404);
  });

  test('board 15.27: with the board off every route is switched off', async () => {
    rig.flags.set('board.enabled', 'false');
    const off = await call('get', '').expect(404);
    expect(off.body).toMatchObject({
      error: 'switched_off',
      message: 'The board is switched off on this instance.',
    });
    await call('post', '/cards', { title: 'x' }).expect(404);
  });

  test('board 15.29, 15.33: strangers see nothing, viewers change nothing, members no columns', async () => {
    const { card } = await make();
    reader = rig.stranger;
    for (const path of ['', '/columns', '/backlog', '/changes?since=0', `/cards/${card.cardId}`])
      await call('get', path).expect(404);
    reader = rig.viewer;
    await call('get', '').expect(200);
    await call('get', `/cards/${card.cardId}`).expect(200);
    const writes: [Method, string, object][] = [
      ['post', '/cards', { title: 'x' }],
      ['patch', `/cards/${card.cardId}`, { title: 'x' }],
      ['post', `/cards/${card.cardId}/move`, { columnId: card.columnId }],
      ['post', '/cards/move', { cardIds: [card.cardId], columnId: card.columnId }],
      ['delete', `/cards/${card.cardId}`, { confirm: card.number }],
      ['post', `/cards/${card.cardId}/hold`, {}],
      ['post', `/cards/${card.cardId}/release`, {}],
      ['post', `/cards/${card.cardId}/lane`, { enabled: true }],
      ['post', '/columns', { label: 'x' }],
      ['patch', '/settings', { finishedWindowDays: 4 }],
    ];
    for (const [method, path, body] of writes) await call(method, path, body).expect(403);
    reader = rig.member;
    await call('post', '/columns', { label: 'x' }).expect(403);
    await call('post', `/cards/${card.cardId}/move`, { columnId: await rig.column('next') }).expect(200);
    reader = null;
    await call('get', '').expect(401);
  });

  test('bridges read columns, places of cards and holds, and write nothing', async () => {
    const { card } = await make();
    await call('post', `/cards/${card.cardId}/hold`, {}).expect(200);
    bridge = { ...rig.connection(rig.owner.personId, rig.projectId), scopes: ['agent'], channel: 'api' };
    const columns = await call('get', '/columns').expect(200);
    expect(columns.body.columns[0]).toEqual({
      slug: 'backlog',
      label: 'Backlog',
      terminal: false,
      default: true,
      backlog: true,
    });
    expect((await call('get', `/cards/${card.cardId}`).expect(200)).body).toEqual({
      cardId: card.cardId,
      number: card.number,
      column: 'backlog',
      held: true,
    });
    const unknown = await call('get', `/cards/${rig.ids.next()}`).expect(404);
    expect(unknown.body.error).toBe('card_not_found');
    await call('post', '/columns', { label: 'x' }).expect(403);
    const holds = await request(app.getHttpServer()).get('/api/card-holds').expect(200);
    expect(holds.body.holds).toContainEqual({ projectId: rig.projectId, cardId: card.cardId });
  });
});
