import fc from 'fast-check';
import { freeSlug, isSlugOf, slugBase } from './slug.js';

describe('slug of a project', () => {
  it.each([
    ['Café Été!', 'cafe-ete'],
    ['  Ünï   cödé -- x ', 'uni-code-x'],
    ['Straße Ølåf Łódź', 'strasse-olaf-lodz'],
    ['Проект Луна', 'proekt-luna'],
    ['東京', 'dongjing'],
    ['!!!', 'project'],
    ['', 'project'],
    ['0', '0'],
    [`${'a'.repeat(59)} b`, 'a'.repeat(59)],
  ])('makes "%s" into "%s"', (name, slug) => {
    expect(slugBase(name)).toBe(slug);
  });

  it('is always 1 to 60 of a-z, 0-9 and inner dashes, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (name) => {
        expect(slugBase(name)).toMatch(/^(?=.{1,60}$)[a-z0-9]+(-[a-z0-9]+)*$/);
      }),
    );
  });

  it('takes the next free number when the slug is held, cut so that it fits', () => {
    expect(freeSlug('acme', new Set(['acme']))).toBe('acme-2');
    expect(freeSlug('acme', new Set(['acme', 'acme-2', 'acme-4']))).toBe('acme-3');
    const long = 'x'.repeat(60);
    const next = freeSlug(long, new Set([long]));
    expect(next).toBe(`${'x'.repeat(58)}-2`);
    expect(isSlugOf(next, long)).toBe(true);
  });

  it('knows which slugs stem from a base', () => {
    expect(isSlugOf('acme', 'acme')).toBe(true);
    expect(isSlugOf('acme-2', 'acme')).toBe(true);
    expect(isSlugOf('acme-1', 'acme')).toBe(false);
    expect(isSlugOf('acme-02', 'acme')).toBe(false);
    expect(isSlugOf('acme-site', 'acme')).toBe(false);
  });
});
