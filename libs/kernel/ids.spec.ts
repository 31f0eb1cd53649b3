import { isUuid, UuidV7Ids } from './ids.js';

describe('UuidV7Ids', () => {
  it('makes UUIDs of version 7 in lower case, whose first 48 bits are the time', () => {
    const before = Date.now();
    const id = new UuidV7Ids().next();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const time = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now());
  });

  it('makes ids that are all different and sort in the order in which they were made', () => {
    const ids = new UuidV7Ids();
    const made = Array.from({ length: 20_000 }, () => ids.next());
    expect(new Set(made).size).toBe(made.length);
    expect([...made].sort()).toEqual(made);
  });
});

describe('isUuid', () => {
  it.each([
    '',
    'x',
    '00000000-0000-7000-8000-00000000000',
    null,
    7,
    '{00000000-0000-7000-8000-000000000000}',
  ])('refuses %j', (value) => {
    expect(isUuid(value)).toBe(false);
  });

  it('takes either case', () => {
    expect(isUuid('0190AAAA-0000-7000-8000-00000000000b')).toBe(true);
  });
});
