import { Body, Controller, Get, type INestApplication, Post } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { json } from 'express';
import request from 'supertest';
import { conflict, DomainError, InvalidInput, notFound } from '#libs/kernel/errors.js';
import { ProblemFilter } from './problem.filter.js';

let thrown: unknown;

@Controller()
class Throwing {
  @Get('throw')
  fail(): never {
    throw thrown;
  }

  @Post('take')
  take(@Body() body: unknown): unknown {
    return body;
  }
}

describe('ProblemFilter', () => {
  let app: INestApplication;

  beforeAll(async () => {
    const module = await Test.createTestingModule({ controllers: [Throwing] }).compile();
    app = module.createNestApplication({ bodyParser: false, logger: false });
    app.use((incoming: { traceId?: string }, _: unknown, next: () => void) => {
      incoming.traceId = 'trace-1';
      next();
    });
    app.use(json({ limit: 100 }));
    app.useGlobalFilters(new ProblemFilter());
    await app.init();
  });

  afterAll(() => app.close());

  const answerTo = async (error: unknown) => {
    thrown = error;
    return request(app.getHttpServer()).get('/throw');
  };

  it('names every wrong field at once', async () => {
    const { status, body } = await answerTo(
      new InvalidInput([
        { argument: 'name', sentence: 'must not be empty' },
        { argument: 'domain', sentence: 'must be a host name' },
      ]),
    );
    expect(status).toBe(422);
    expect(body).toMatchObject({
      error: 'invalid',
      fields: { name: 'must not be empty', domain: 'must be a host name' },
      traceId: 'trace-1',
    });
  });

  it.each([
    [notFound('Document'), 404, 'not_found'],
    [conflict('stale', 'Changed meanwhile.'), 409, 'stale'],
    [new DomainError('forbidden', 'csrf', 'Reload.'), 403, 'csrf'],
    [new DomainError('switched-off', 'switched_off', 'Off.'), 404, 'switched_off'],
    [new DomainError('too-large', 'too_large', 'Too large.'), 413, 'too_large'],
  ])('answers %s', async (error, status, code) => {
    const answer = await answerTo(error);
    expect([answer.status, answer.body.error, answer.body.message]).toEqual([status, code, error.message]);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('shows a stale writer the object as it is now', async () => {
    const { body } = await answerTo(conflict('stale', 'Changed.', { current: { version: 3 } }));
    expect(body.current).toEqual({ version: 3 });
  });

  it('says when to come back', async () => {
    const { status, headers, body } = await answerTo(
      new DomainError('rate-limited', 'rate_limited', 'Too many.', { retryAfterSeconds: 12 }),
    );
    expect([status, headers['retry-after'], body.retryAfter]).toEqual([429, '12', 12]);
  });

  it('gives a reference for the unexpected, and nothing else of it', async () => {
    const { status, body } = await answerTo(new Error('SELECT secret FROM vault'));
    expect(status).toBe(500);
    expect(body.message).toBe('Something went wrong on the server. Reference: trace-1');
    expect(JSON.stringify(body)).not.toContain('vault');
  });

  it('refuses what is no JSON, and bodies over the limit', async () => {
    const http = request(app.getHttpServer());
    const broken = await http.post('/take').set('Content-Type', 'application/json').send('{"a":');
    expect([broken.status, broken.body.error]).toEqual([400, 'bad_request']);
    const large = await http.post('/take').send({ a: 'x'.repeat(200) });
    expect([large.status, large.body.error]).toEqual([413, 'too_large']);
  });
});
