import { masked } from './masked-text.js';
import { nextRetryId } from './retry-id.js';

describe('Text of an error for admins', () => {
  it.each([
    ['connect postgres://loupe:geheim@db:5432/x failed', 'connect postgres://***@db:5432/x failed'],
    ['mail to ada@example.com bounced', 'mail to ***@*** bounced'],
    ['{"token":"abc123","n":1}', '{"token":"***","n":1}'],
    ['Authorization: Bearer eyJhbGciOi.x.y', 'Authorization: ***'],
    ['sent Bearer eyJhbGciOi.x.y to it', 'sent Bearer *** to it'],
    ['password=hunter2&x=1', 'password=***&x=1'],
    ['plain words, and a:b', 'plain words, and a:b'],
  ])('%s', (text, expected) => {
    expect(masked(text, 500)).toBe(expected);
  });

  it('says that it was cut', () => {
    expect(masked('x'.repeat(20), 10)).toBe('xxxxxxxxxx… (cut)');
  });
});

describe('The id of a retried job', () => {
  it('counts on', () => {
    expect(nextRetryId('work_1')).toBe('work_1_r1');
    expect(nextRetryId('work_1_r9')).toBe('work_1_r10');
  });
});
