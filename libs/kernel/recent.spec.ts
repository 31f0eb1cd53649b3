import { Recent } from './recent.js';

describe('Recent', () => {
  it('lets go what was used longest ago when the limit is reached', () => {
    const recent = new Recent<string>(10, (value) => value.length);
    recent.put('a', 'aaaa');
    recent.put('b', 'bbbb');
    expect(recent.get('a')).toBe('aaaa');
    recent.put('c', 'cccc');
    expect(['a', 'b', 'c'].map((key) => recent.get(key))).toEqual(['aaaa', undefined, 'cccc']);
  });

  it('keeps one value a key, counted once', () => {
    const recent = new Recent<string>(10, (value) => value.length);
    for (let round = 0; round < 5; round += 1) recent.put('a', 'aaaaaa');
    recent.put('b', 'bbbb');
    expect([recent.get('a'), recent.get('b')]).toEqual(['aaaaaa', 'bbbb']);
  });

  it('keeps nothing that is heavier than the limit, and forgets what it is told to', () => {
    const recent = new Recent<string>(3, (value) => value.length);
    recent.put('a', 'aaaa');
    expect(recent.get('a')).toBeUndefined();
    recent.put('b', 'b');
    recent.delete('b');
    recent.delete('never there');
    expect(recent.get('b')).toBeUndefined();
    recent.put('c', 'ccc');
    expect(recent.get('c')).toBe('ccc');
  });
});
