import fc from 'fast-check';
import { localPath } from './local-path.js';

describe('localPath', () => {
  it('keeps paths with query and fragment', () => {
    expect(localPath('/projects/1?view=all#top')).toBe('/projects/1?view=all#top');
  });

  it.each([
    '',
    'projects',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/..//evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    `/${'a'.repeat(2_000)}`,
  ])('refuses %j', (next) => {
    expect(localPath(next)).toBeNull();
  });

  it('never gives a path that a browser reads as another host', () => {
    const base = 'https://loupe.example.com';
    const piece = fc.constantFrom('/', '\\', '.', '..', '%2f', '@', ':', 'evil.example', '\t', '?', '#', 'a');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const path = localPath(pieces.join(''));
        return path === null || new URL(path, base).origin === base;
      }),
      { numRuns: 2_000 },
    );
  });
});
