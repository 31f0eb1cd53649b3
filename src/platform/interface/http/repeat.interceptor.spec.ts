import { randomUUID } from 'node:crypto';
import { Body, Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import request from 'supertest';
import { SessionGuard } from '#libs/http/session.guard.js';
import { conflict } from '#libs/kernel/errors.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { pause } from '../../../../test/support/until.js';
import { as, type PlatformApp, startPlatform } from '../../testing/platform-app.js';

let made = 0;

@Controller('api/projects/:p/things')
@UseGuards(SessionGuard)
class ThingsController {
  @Post()
  async make(@Param('p') p: string, @Body() body: { name?: string; refuse?: boolean }): Promise<object> {
    if (body.refuse) throw conflict('full', 'There is no room left.');
    await pause(50);
    made += 1;
    return { p, n: made, name: body.name ?? null };
  }

  @Post('clear')
  @HttpCode(204)
  clear(): void {
    made += 1;
  }

  @Get()
  count(): object {
    made += 1;
    return { made };
  }
}

describe('Repeats of writes under /api', () => {
  let test: TestDatabase;
  let platform: PlatformApp;

  beforeAll(async () => {
    test = await TestDatabase.start({ pool: 10 });
    platform = await startPlatform(test.url, { role: 'web', controllers: [ThingsController] });
  });
  afterAll(async () => {
    await platform.stop();
    await test.stop();
  });
  beforeEach(() => {
    made = 0;
  });

  const post = (
    id: string | null,
    body: object = { name: 'a' },
    path = '/api/projects/p1/things',
    who = as('person'),
  ) =>
    request(platform.url)
      .post(path)
      .set(who)
      .set(id === null ? {} : { 'Loupe-Request-Id': id })
      .send(body);

  it('a repeat gets the first answer with its status, also while the first runs', async () => {
    const id = randomUUID();
    const answers = await Promise.all([post(id), post(id), post(id)]);
    answers.push(await post(id.toUpperCase()));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['{"p":"p1","n":1,"name":"a"}']));
    expect(made).toBe(1);
  });

  it('keeps an answer without a body', async () => {
    const id = randomUUID();
    for (let n = 0; n < 2; n += 1) {
      const answer = await post(id, {}, '/api/projects/p1/things/clear');
      expect([answer.status, answer.text]).toEqual([204, '']);
    }
    expect(made).toBe(1);
  });

  it('acts each time without the header, and on reads', async () => {
    await post(null);
    await post(null);
    const id = randomUUID();
    for (let n = 0; n < 2; n += 1) {
      await request(platform.url)
        .get('/api/projects/p1/things')
        .set(as('person'))
        .set('Loupe-Request-Id', id);
    }
    expect(made).toBe(4);
  });

  it('refuses the same id with another body, and an id of another form', async () => {
    const id = randomUUID();
    await post(id);
    const other = await post(id, { name: 'b' });
    expect([other.status, other.body.error]).toEqual([409, 'request_id_reused']);
    const bad = await post('42');
    expect([bad.status, bad.body.fields]).toEqual([422, { 'Loupe-Request-Id': 'must be a UUID' }]);
    expect(made).toBe(1);
  });

  it('is of the person and the project: others act for themselves', async () => {
    const id = randomUUID();
    await post(id);
    await post(id, { name: 'a' }, '/api/projects/p2/things');
    await post(id, { name: 'a' }, '/api/projects/p1/things', as('admin'));
    expect(made).toBe(3);
  });

  it('keeps no refusal', async () => {
    const id = randomUUID();
    expect((await post(id, { refuse: true })).status).toBe(409);
    const again = await post(id, { refuse: true });
    expect(again.body.error).toBe('full');
  });

  it('stands behind the guard', async () => {
    const id = randomUUID();
    await post(id);
    const stranger = await request(platform.url)
      .post('/api/projects/p1/things')
      .set('Loupe-Request-Id', id)
      .send({ name: 'a' });
    expect(stranger.status).toBe(401);
  });
});
