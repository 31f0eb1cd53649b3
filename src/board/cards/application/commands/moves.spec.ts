import { refusalOf } from '#libs/kernel/testing/refusal-of.js';
import { TestDatabase } from '../../../../../test/support/test-database.js';
import { BoardRig } from '../../testing/board-rig.js';
import { GetBoardChanges } from '../queries/get-board-changes.js';
import { CloseCardRun } from './close-card-run.js';
import { CloseStaleRuns } from './close-stale-runs.js';
import { HoldCard } from './hold-card.js';
import { MoveCards } from './move-cards.js';
import { OpenCardRun } from './open-card-run.js';
import { ReleaseCard } from './release-card.js';
import { ReleaseCardPause } from './release-card-pause.js';

describe('moves of cards', () => {
  let postgres: TestDatabase;
  let rig: BoardRig;

  beforeAll(async () => {
    postgres = await TestDatabase.start();
  });
  afterAll(() => postgres.stop());
  afterEach(() => rig.stop());

  const start = async (template: string | null = '') => {
    rig = await BoardRig.start(postgres.database, template);
  };

  /** What the workflow does when a rule gives up; the engine itself is not there yet. */
  const pause = async (cardId: string, kind: string): Promise<string> => {
    const pauseId = rig.ids.next();
    await rig.database.query(
      `INSERT INTO board.card_pause (id, card_id, project_id, kind, reason, rule_id, since)
       VALUES ($1, $2, $3, $4, 'No bridge took the work', 'build', $5)`,
      [pauseId, cardId, rig.projectId, kind, rig.clock.now()],
    );
    return pauseId;
  };
  const named = (cardId: string) => ({ projectId: rig.projectId, cardId });

  test('board 15.13: an epic with open children is not finished by hand, and the refusal names them', async () => {
    await start();
    const epic = await rig.create({ type: 'epic' });
    const child = await rig.create({ parentCardId: epic.cardId });
    const refused = 'status: Card 1 has open children: 2. Finish them first, or take them out of it.';
    expect(await refusalOf(rig.update(epic.cardId, { status: 'done' }))).toBe(refused);
    expect(rig.audit.entries).toContainEqual(
      expect.objectContaining({ operation: 'board.card_updated', outcome: 'refused' }),
    );
    await rig.move(child.cardId, 'done');
    expect(await rig.card(epic.cardId)).toMatchObject({ progress: { done: 1, total: 1 } });
    await rig.move(epic.cardId, 'done');
    expect((await rig.card(epic.cardId)).completedAt).not.toBeNull();
  });

  test('board 15.14: outside the moves of the workflow an agent has to hold the card first', async () => {
    await start(null);
    const { cardId } = await rig.create({ status: 'implementation' });
    expect(await refusalOf(rig.update(cardId, { status: 'in-review' }))).toBe(
      'status: The workflow does not allow a move from "implementation" to "in-review". From here it allows: backlog, tech-design. To move the card anyway, call card_hold first.',
    );
    expect(await rig.get(HoldCard).execute(rig.agent, named(cardId))).toEqual({
      cardId,
      outcome: 'held',
      cancelledRequests: 0,
      openRuns: [],
    });
    expect((await rig.update(cardId, { status: 'in-review' })).status).toBe('in-review');
    expect(await rig.get(ReleaseCard).execute(rig.agent, named(cardId))).toEqual({
      cardId,
      outcome: 'released',
    });
    expect(await rig.card(cardId)).toMatchObject({ hold: null });
    expect(await refusalOf(rig.update(cardId, { status: 'done' }))).toContain('allows: backlog.');
    expect((await rig.history(cardId)).map((event) => event.kind)).toEqual([
      'released',
      'moved',
      'held',
      'created',
    ]);
  });

  test('board 15.15 (server): a drop outside the moves is offered, and a confirmed one holds and moves', async () => {
    await start(null);
    const { cardId } = await rig.create({ status: 'implementation' });
    await expect(rig.move(cardId, 'in-review')).rejects.toMatchObject({
      code: 'not_in_workflow',
      detail: { facts: { offer: 'make-unmanaged' } },
    });
    expect((await rig.card(cardId)).status).toBe('implementation');
    await rig.move(cardId, 'in-review', { makeUnmanaged: true });
    expect(await rig.card(cardId)).toMatchObject({ status: 'in-review', hold: { heldBy: 'Ada Owner' } });
  });

  test('holds and releases that find nothing to do are refused with a code', async () => {
    await start();
    const { cardId } = await rig.create();
    const projectId = rig.projectId;
    expect(await rig.get(ReleaseCard).execute(rig.agent, named(cardId))).toMatchObject({
      outcome: 'refused',
      code: 'not-paused',
    });
    await rig.get(HoldCard).execute(rig.owner, named(cardId));
    expect(await rig.get(HoldCard).execute(rig.agent, named(cardId))).toMatchObject({
      cardId,
      outcome: 'refused',
      code: 'already-paused',
    });
    expect(await rig.get(HoldCard).execute(rig.agent, { projectId, number: 9 })).toEqual({
      cardId: null,
      outcome: 'refused',
      code: 'not-found',
      message: 'This project has no card 9.',
    });
  });

  test('board 15.16 (board): finishing stamps the time, opening again clears it', async () => {
    await start();
    const { cardId } = await rig.create();
    rig.forget();
    await rig.move(cardId, 'done');
    expect(await rig.card(cardId)).toMatchObject({
      status: 'done',
      position: 0,
      completedAt: rig.clock.now().toISOString(),
    });
    expect(rig.eventTypes()).toEqual(['CardMoved', 'CardFinished']);
    expect(rig.outbox.events[0]!.payload).toMatchObject({
      from: { slug: 'backlog' },
      to: { slug: 'done' },
      completed: true,
      cause: null,
    });
    rig.forget();
    await rig.move(cardId, 'next');
    expect((await rig.card(cardId)).completedAt).toBeNull();
    expect(rig.eventTypes()).toEqual(['CardMoved', 'CardReopened']);
  });

  test('a column that is not terminal reads by rank, a terminal one by completion, the newest first', async () => {
    await start();
    const cards = [];
    for (let n = 0; n < 5; n += 1) cards.push(await rig.create({ status: 'next' }));
    const [first, second, third, fourth, fifth] = cards.map((card) => card.cardId) as [string, ...string[]];
    await rig.move(fifth!, 'next', { place: { position: 0 } });
    expect(await rig.order('next')).toEqual([5, 1, 2, 3, 4]);
    await rig.move(fifth!, 'next', { place: { position: 99 } });
    await rig.move(first, 'next', { place: { afterCardId: third! } });
    await rig.move(fourth!, 'next', { place: { beforeCardId: second! } });
    expect(await rig.order('next')).toEqual([4, 2, 3, 1, 5]);
    expect((await rig.card(first)).position).toBe(3);
    await rig.move(second!, 'backlog', { place: { position: 0 } });
    for (const id of [first, third!, fifth!]) {
      rig.clock.advance(1_000);
      await rig.move(id, 'done');
    }
    expect(await rig.order('done')).toEqual([5, 3, 1]);
    const before = (await rig.history(first)).length;
    await rig.move(fourth!, 'next', { place: { position: 0 } });
    expect(await rig.history(first)).toHaveLength(before);
  });

  test('many drops into one gap spread the column out, and keep its order', async () => {
    await start();
    const top = await rig.create({ status: 'next' });
    const bottom = await rig.create({ status: 'next' });
    const dropped: number[] = [];
    for (let n = 0; n < 30; n += 1) {
      const { cardId, number } = await rig.create();
      await rig.move(cardId, 'next', { place: { afterCardId: top.cardId } });
      dropped.unshift(number);
    }
    expect(await rig.order('next')).toEqual([1, ...dropped, 2]);
    expect((await rig.card(bottom.cardId)).position).toBe(31);
    const ranks = await rig.database.query(
      'SELECT count(DISTINCT rank)::int AS n FROM board.card WHERE column_id = $1',
      [await rig.column('next')],
    );
    expect(ranks).toEqual([{ n: 32 }]);
  });

  test('a move to the column and place that the card has changes nothing', async () => {
    await start();
    const first = await rig.create({ status: 'next' });
    const second = await rig.create({ status: 'next' });
    rig.forget();
    await rig.move(first.cardId, 'next');
    await rig.move(first.cardId, 'next', { place: { position: 0 } });
    await rig.move(first.cardId, 'next', { place: { beforeCardId: second.cardId } });
    expect([rig.outbox.events, rig.audit.entries, rig.live.sent]).toEqual([[], [], []]);
  });

  test('two writers: of two moves out of the same column one wins, and the loser is told where the card is', async () => {
    await start();
    const { cardId } = await rig.create();
    const fromColumnId = await rig.column('backlog');
    const [next, progress] = [await rig.column('next'), await rig.column('in-progress')];
    const results = await Promise.allSettled([
      rig.move(cardId, 'next', { fromColumnId }),
      rig.move(cardId, 'in-progress', { fromColumnId }, rig.member),
    ]);
    const lost = results.filter((result) => result.status === 'rejected');
    expect(lost).toHaveLength(1);
    const status = (await rig.card(cardId)).status;
    expect(lost[0]!.reason).toMatchObject({
      code: 'stale_column',
      message: 'Card 1 was moved meanwhile.',
      detail: { facts: { columnId: status === 'next' ? next : progress } },
    });
    expect((await rig.history(cardId)).filter((event) => event.kind === 'moved')).toHaveLength(1);
  });

  test('two writers: without a belief the last move wins, and history tells both', async () => {
    await start();
    const { cardId } = await rig.create();
    await Promise.all([rig.move(cardId, 'next'), rig.move(cardId, 'in-progress', {}, rig.member)]);
    const moves = (await rig.history(cardId)).filter((event) => event.kind === 'moved');
    expect(moves).toHaveLength(2);
    expect(moves[0]!.from).toEqual(moves[1]!.to);
    expect((await rig.card(cardId)).status).toBe((moves[0]!.to as { slug: string }).slug);
  });

  test('two writers: a parent and its child change places at once, and only one gets its way', async () => {
    await start();
    const a = await rig.create({ type: 'epic' });
    const b = await rig.create();
    const results = await Promise.allSettled([
      rig.update(b.cardId, { parentCardId: a.cardId }),
      rig.update(b.cardId, { type: 'epic' }, rig.member),
    ]);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    const { type, parent } = await rig.card(b.cardId);
    expect([type === 'epic', parent !== null]).toEqual([parent === null, type !== 'epic']);
  });

  test('two writers: a type loses its children while a child comes in, and only one gets its way', async () => {
    await start();
    const epic = await rig.create({ type: 'epic' });
    const card = await rig.create();
    const results = await Promise.allSettled([
      rig.update(epic.cardId, { type: 'bug' }),
      rig.update(card.cardId, { parentCardId: epic.cardId }, rig.member),
    ]);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    const { type, children } = await rig.card(epic.cardId);
    expect(children).toHaveLength(type === 'epic' ? 1 : 0);
  });

  test('fifty cards made at once get fifty numbers without a gap', async () => {
    await start();
    const cards = await Promise.all(Array.from({ length: 50 }, () => rig.create()));
    const numbers = cards.map((card) => card.number).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
    const places = await rig.database.query<{ rank: number }>(
      'SELECT DISTINCT rank FROM board.card WHERE project_id = $1',
      [rig.projectId],
    );
    expect(places).toHaveLength(50);
  });

  test('two agents that update different fields both get their way', async () => {
    await start();
    const { cardId } = await rig.create({ title: 'Old', body: 'Old' });
    await Promise.all([
      rig.update(cardId, { title: 'New' }),
      rig.update(cardId, { body: 'New' }, rig.member),
      rig.update(cardId, { pullRequestUrls: ['https://x.example'] }),
    ]);
    expect(await rig.card(cardId)).toMatchObject({ title: 'New', body: 'New', pullRequests: [{}] });
  });

  test('board 15.18: a run stays open with its own move, closes with a later one, and closes once', async () => {
    await start();
    const { cardId } = await rig.create();
    const open = (input: object = {}) =>
      rig
        .get(OpenCardRun)
        .execute(rig.agent, { ...named(cardId), sessionId: 'S-1', name: 'build', ...input });
    const first = await open({ status: 'next' });
    expect(first.run).toEqual({ runId: expect.any(String), state: 'running', name: 'build' });
    expect(await rig.card(cardId)).toMatchObject({
      status: 'next',
      state: { kind: 'working', code: 'session-open', reason: 'The session "build" works on this card.' },
    });
    expect((await open({ name: 'again' })).run).toEqual(first.run);
    const second = await open({ status: 'in-progress' });
    expect(second.run.runId).not.toBe(first.run.runId);
    rig.forget();
    await rig.move(cardId, 'next', {}, rig.member);
    expect(rig.eventTypes()).toContain('InteractiveRunClosed');
    expect((await rig.card(cardId)).state).toBeNull();
    const third = await open();
    const close = () =>
      rig.get(CloseCardRun).execute(rig.agent, { projectId: rig.projectId, number: 1, sessionId: 'S-1' });
    const closed = { cardId, number: 1, run: { runId: third.run.runId, state: 'closed' }, usageRequested: 0 };
    expect(await close()).toEqual(closed);
    rig.forget();
    expect(await close()).toEqual(closed);
    expect(rig.outbox.events).toEqual([]);
    const other = await rig.get(CloseCardRun).execute(rig.agent, { ...named(cardId), sessionId: 'S-2' });
    expect(other.run).toBeNull();
  });

  test('a run is not opened on a finished card, by a session without a name, or with a refused move', async () => {
    await start(null);
    const done = await rig.create({ status: 'done' });
    const open = (cardId: string, input: object) =>
      refusalOf(
        rig.get(OpenCardRun).execute(rig.agent, { ...named(cardId), sessionId: 's', name: 'x', ...input }),
      );
    expect(await open(done.cardId, {})).toBe('status: Card 1 is finished. Pass the slug of an open column.');
    expect(await open(done.cardId, { sessionId: 'a b', name: ' ' })).toBe(
      'sessionId: pass your own session id, 1 to 100 characters of A-Z a-z 0-9 . _ : -.\nname: 1 to 100 characters on one line.',
    );
    const { cardId } = await rig.create();
    expect(await open(cardId, { status: 'in-review' })).toContain('call card_hold first');
    expect((await rig.card(cardId)).state).toBeNull();
  });

  test('a session that was not heard of for a day is closed, no sooner', async () => {
    await start();
    const { cardId } = await rig.create();
    await rig.get(OpenCardRun).execute(rig.agent, { ...named(cardId), sessionId: 's', name: 'build' });
    const sweep = () => rig.get(CloseStaleRuns).execute({ kind: 'system', jobName: 'test' });
    rig.clock.advance(23 * 3_600_000);
    await sweep();
    expect((await rig.card(cardId)).state).not.toBeNull();
    rig.clock.advance(2 * 3_600_000);
    await sweep();
    expect((await rig.card(cardId)).state).toBeNull();
  });

  test('board 15.19: a pause comes before an open session, and a finished card has no state', async () => {
    await start();
    const { cardId } = await rig.create({ status: 'next' });
    await rig.get(OpenCardRun).execute(rig.agent, { ...named(cardId), sessionId: 's', name: 'build' });
    const pauseId = await pause(cardId, 'work-timeout');
    await rig.update(cardId, { documentIds: [rig.document()] });
    expect((await rig.card(cardId)).state).toMatchObject({
      kind: 'stuck',
      code: 'paused',
      reason: 'The workflow paused this card: No bridge took the work.',
      others: [
        { kind: 'needs-you', code: 'document-in-review' },
        { kind: 'working', code: 'session-open', reason: 'The session "build" works on this card.' },
      ],
    });
    expect((await rig.card(cardId)).pause).toMatchObject({ pauseId, kind: 'work-timeout', ruleId: 'build' });
    await rig.move(cardId, 'done');
    expect(await rig.card(cardId)).toMatchObject({ state: null, pause: null });
    expect((await rig.history(cardId)).map((event) => event.kind)).toContain('pause-released');
  });

  test('board 15.20 (server): an unmanaged card with nothing else has a hold and no state', async () => {
    await start();
    const { cardId } = await rig.create();
    await rig.get(HoldCard).execute(rig.owner, { ...named(cardId), note: 'Mine' });
    expect(await rig.card(cardId)).toMatchObject({
      state: null,
      hold: { since: rig.clock.now().toISOString(), heldBy: 'Ada Owner' },
    });
  });

  test('board 15.24: a pause is released by its own id, never one of kind rule, never on a held card', async () => {
    await start(null);
    const { cardId } = await rig.create();
    const release = (pauseId?: string) =>
      rig.get(ReleaseCardPause).execute(rig.agent, { ...named(cardId), pauseId });
    expect(await release()).toMatchObject({ outcome: 'refused', code: 'not-paused' });
    const pauseId = await pause(cardId, 'retries');
    expect(await release(rig.ids.next())).toMatchObject({ outcome: 'refused', code: 'pause-changed' });
    expect(await refusalOf(release('x'))).toBe('pauseId: "x" is not a valid id.');
    await rig.get(HoldCard).execute(rig.agent, named(cardId));
    expect(await release(pauseId)).toMatchObject({ outcome: 'refused', code: 'card-unmanaged' });
    await rig.get(ReleaseCard).execute(rig.agent, named(cardId));
    expect(await release(pauseId)).toEqual({
      cardId,
      outcome: 'released',
      kind: 'retries',
      reason: 'No bridge took the work',
      ruleId: 'build',
    });
    await pause(cardId, 'rule');
    expect(await release()).toMatchObject({ outcome: 'refused', code: 'kind-not-releasable' });
  });

  test('board 15.25: a child of an epic with an approved tech design says whose design it has', async () => {
    await start(null);
    const design = rig.document({ status: 'approved', tags: ['tech-design'] });
    const epic = await rig.create({ type: 'epic', documentIds: [design] });
    const child = (input: object) => rig.create({ parentCardId: epic.cardId, ...input });
    expect(await refusalOf(child({}))).toBe(
      'childDesign: Card 1 has an approved tech design. Pass inherit to link it, or own to give this card its own tech design.',
    );
    expect((await child({ childDesign: 'inherit' })).documents).toMatchObject([{ documentId: design }]);
    expect((await child({ childDesign: 'own' })).status).toBe('tech-design');
    expect(await refusalOf(child({ childDesign: 'own', status: 'next' }))).toBe(
      'status: Leave it out with childDesign own, which moves the card to Tech design.',
    );
    expect(await refusalOf(rig.create({ childDesign: 'inherit' }))).toBe('childDesign: needs a parent.');
    const bare = await rig.create({ type: 'epic' });
    expect(await refusalOf(child({ parentCardId: bare.cardId, childDesign: 'inherit' }))).toBe(
      'childDesign: The parent has no tech design to inherit.',
    );
    expect((await child({ parentCardId: bare.cardId })).status).toBe('backlog');
    expect((await child({ status: 'implementation' })).status).toBe('implementation');
    const loose = await rig.create();
    expect(await refusalOf(rig.update(loose.cardId, { parentCardId: epic.cardId }))).toContain(
      'childDesign: ',
    );
    expect((await rig.update(loose.cardId, { parentCardId: epic.cardId, childDesign: 'own' })).status).toBe(
      'tech-design',
    );
  });

  test('board 15.32: a bulk move with one refused card moves none, and says which', async () => {
    await start();
    const epic = await rig.create({ type: 'epic' });
    await rig.create({ parentCardId: epic.cardId });
    const third = await rig.create();
    const move = async (slug: string, cardIds: string[]) =>
      rig
        .get(MoveCards)
        .execute(rig.owner, { projectId: rig.projectId, cardIds, columnId: await rig.column(slug) });
    await expect(move('done', [third.cardId, epic.cardId])).rejects.toMatchObject({
      code: 'epic_has_open_child',
      detail: { facts: { number: 1 } },
    });
    expect(await rig.order('done')).toEqual([]);
    expect(await move('next', [third.cardId, epic.cardId])).toMatchObject({ moved: 2 });
    expect(await rig.order('next')).toEqual([1, 3]);
    expect(await refusalOf(move('next', [rig.ids.next()]))).toContain('cardIds[0]: Card not found');
  });

  test('a blocker that is finished, opened again or deleted changes the state of the card it blocks', async () => {
    await start();
    const blocker = await rig.create();
    const blocked = await rig.create({ relatedCards: [{ cardId: blocker.cardId, kind: 'blocked-by' }] });
    expect(blocked.state).toMatchObject({ kind: 'waiting', code: 'held-by-blocker' });
    rig.forget();
    await rig.move(blocker.cardId, 'done');
    expect((await rig.card(blocked.cardId)).state).toBeNull();
    expect(rig.outbox.events).toContainEqual(
      expect.objectContaining({
        type: 'CardStateChanged',
        payload: { cardId: blocked.cardId, kind: null, code: null },
      }),
    );
    expect(rig.live.sent).toContainEqual(
      expect.objectContaining({ type: 'card', subjectId: blocked.cardId }),
    );
    await rig.move(blocker.cardId, 'next');
    expect((await rig.card(blocked.cardId)).state).toMatchObject({ code: 'held-by-blocker' });
  });

  test('board 15.17 (server): a page that was away asks only for what changed since', async () => {
    await start();
    const changes = (since: number) =>
      rig.get(GetBoardChanges).execute(rig.owner, { projectId: rig.projectId, since });
    const epic = await rig.create({ type: 'epic' });
    const child = await rig.create({ parentCardId: epic.cardId });
    const still = await rig.create();
    const { revision } = await changes(0);
    await rig.move(child.cardId, 'done');
    const after = await changes(revision);
    expect(after.revision).toBe(revision + 1);
    expect([...after.cards!].sort()).toEqual([epic.cardId, child.cardId].sort());
    expect(after.deleted).toEqual([]);
    expect((await changes(after.revision)).cards).toEqual([]);
    expect(await changes(after.revision + 1)).toMatchObject({ reload: true });
    expect(still.number).toBe(3);
  });
});
