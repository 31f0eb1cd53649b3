import type { FileRow } from '../shapes';
import { firstFile, nodesOf } from './file-nodes';

const files = (...paths: string[]): FileRow[] =>
  paths.map((path) => ({
    path,
    contentType: 'text/plain',
    kind: path.endsWith('.png') ? 'image' : 'text',
    bytes: 1,
    sha256: '',
    page: false,
  }));

describe('the tree of files', () => {
  const some = files('README.md', 'app/deck.js', 'app/parts/seat.js', 'data/a.json', 'index.html');
  const shown = (closed: string[] = []) =>
    nodesOf(some, new Set(closed)).map(({ level, name, file }) => `${level} ${name}${file ? '' : '/'}`);

  test('lists folders before files, each level a step further in', () => {
    expect(shown()).toEqual([
      '1 app/',
      '2 parts/',
      '3 seat.js',
      '2 deck.js',
      '1 data/',
      '2 a.json',
      '1 index.html',
      '1 README.md',
    ]);
  });

  test('hides what a closed folder holds', () => {
    expect(shown(['app'])).toEqual(['1 app/', '1 data/', '2 a.json', '1 index.html', '1 README.md']);
  });

  test('begins with the entry, else with the first text, else with the first file', () => {
    expect(firstFile(some, 'index.html')).toBe('index.html');
    expect(firstFile(files('a.png', 'b.txt'), null)).toBe('b.txt');
    expect(firstFile(files('a.png'), null)).toBe('a.png');
    expect(firstFile([], null)).toBeNull();
  });
});
