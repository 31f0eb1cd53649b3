import { Controller, Get, type INestApplication, Module, NotFoundException } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import request from 'supertest';
import { Configuration } from '#libs/configuration/configuration.js';
import { PageSender } from '#src/identity/interface/http/pages/page-sender.js';
import { RefusalFilter } from './refusal.filter.js';

@Controller()
class Known {
  @Get('broken')
  broken(): never {
    throw new Error('a secret of the inside');
  }

  @Get('api/things/:id')
  missing(): never {
    throw new NotFoundException();
  }
}

@Module({ controllers: [Known] })
class App {}

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('what no controller answers', () => {
  let app: INestApplication;

  beforeAll(async () => {
    app = await NestFactory.create(App, { logger: false });
    app.useGlobalFilters(
      new RefusalFilter(new PageSender(Configuration.fromEnvironment({ APP_ENV: 'test' }))),
    );
    await app.init();
  });

  afterAll(() => app.close());

  const get = (path: string, accept: string) => request(app.getHttpServer()).get(path).set('accept', accept);

  it('platform 2.2: a person at a mistyped address reads a page that leads on', async () => {
    const answer = await get('/no-such-page', BROWSER)
      .expect(404)
      .expect('content-type', /text\/html/);
    expect(answer.text).toContain('<h1>Not found</h1>');
    expect(answer.text).toContain('href="/"');
  });

  it.each([
    ['/no-such-page', '*/*'],
    ['/no-such-page', 'application/json'],
    ['/api/things/1', BROWSER],
    ['/mcp/else', BROWSER],
  ])('platform 2.2: a program reads problem JSON: %s as %s', async (path, accept) => {
    const answer = await get(path, accept)
      .expect(404)
      .expect('content-type', /application\/json/);
    expect(answer.body).toMatchObject({ error: 'not_found' });
  });

  it('a fault inside shows nothing of itself, on a page too', async () => {
    const answer = await get('/broken', BROWSER)
      .expect(500)
      .expect('content-type', /text\/html/);
    expect(answer.text).not.toContain('secret');
  });
});
