import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { foldedPath, readFilePath } from './file-path.js';
import { sortFileSet } from './file-set-policy.js';

describe('paths of files', () => {
  it.each([
    'index.html',
    'a/b/c.css',
    '..name.txt',
    '...dots',
    'name with spaces.txt',
    'żółć/日本語.md',
    '👩‍💻.txt'.replace('\u200d', ''),
    '.gitignore',
    '.github/workflows/ci.yml',
    'con/../x'.replace('con/../', 'cons/'),
    'aux.d'.replace('aux', 'auxiliary'),
    'a%2fb.html',
    'api/session',
  ])('takes %s as it is', (path) => {
    expect(readFilePath(path)).toEqual({ path, problem: null });
  });

  it.each([
    ['', 'is empty'],
    ['/a', 'is an absolute path'],
    ['a/', 'has an empty part'],
    ['a//b', 'has an empty part'],
    ['./a', 'has a part "."'],
    ['a/../b', 'has a part ".."'],
    ['..', 'has a part ".."'],
    ['..\\x', 'holds a backslash'],
    ['C:/x', 'holds a colon'],
    ['a\u0000b', 'holds a control character'],
    ['a\nb', 'holds a control character'],
    ['a\u202egpj.exe', 'holds an invisible character'],
    ['a\u200bb', 'holds an invisible character'],
    ['a./b', 'has a part that ends in a dot or a space'],
    ['a /b', 'has a part that ends in a dot or a space'],
    ['.git/config', 'names the folder of git'],
    ['a/.GiT/hooks', 'names the folder of git'],
    ['git~1/config', 'names the folder of git'],
    ['NUL', 'has a part that is a device name on Windows'],
    ['a/com1.txt', 'has a part that is a device name on Windows'],
    ['x'.repeat(201), 'has a part longer than 200 characters'],
    [Array(21).fill('a').join('/'), 'has more than 20 folders'],
    [Array(10).fill('x'.repeat(60)).join('/'), 'is longer than 512 characters'],
    ['\ud800', 'is not valid text'],
  ])('refuses %j', (path, problem) => {
    expect(readFilePath(path)).toEqual({ path: null, problem });
  });

  it('stores names in one Unicode form', () => {
    expect(readFilePath('cafe\u0301.txt').path).toBe('caf\u00e9.txt');
  });

  it('what it takes stays inside any folder, on every system, and is taken again as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (given) => {
        const { path } = readFilePath(given);
        fc.pre(path !== null);
        for (const system of [posix, win32]) {
          const root = system === posix ? '/srv/root' : 'C:\\srv\\root';
          const full = system.resolve(root, path!);
          expect(full.startsWith(root + system.sep)).toBe(true);
          expect(full.slice(root.length + 1).split(system.sep)).toEqual(path!.split('/'));
        }
        expect(readFilePath(path!)).toEqual({ path, problem: null });
      }),
      { numRuns: 2_000 },
    );
  });

  it('never takes a path with a hostile part, wherever that stands', () => {
    const hostile = fc.constantFrom('..', '.', '', '.git', 'NUL', 'a\\b', 'a:b', 'x\u202e', 'x ', 'x.');
    const plain = fc.stringMatching(/^[a-z]{1,8}$/).filter((name) => readFilePath(name).path !== null);
    fc.assert(
      fc.property(
        fc.array(plain, { maxLength: 4 }),
        hostile,
        fc.array(plain, { maxLength: 4 }),
        (a, bad, b) => {
          const path = [...a, bad, ...b].join('/');
          expect(readFilePath(path).path).toBeNull();
        },
      ),
    );
  });
});

describe('sets of files', () => {
  const sorted = (...paths: string[]) => sortFileSet(paths.map((path) => ({ path })));

  it('are in the order of their bytes', () => {
    expect(sorted('b', 'a/c', 'é', 'C', 'a.b').stored.map(({ path }) => path)).toEqual([
      'C',
      'a.b',
      'a/c',
      'b',
      'é',
    ]);
  });

  it.each([
    [['a.txt', 'A.TXT'], 'differs from'],
    [['straße', 'STRASSE'], 'differs from'],
    [['caf\u00e9', 'cafe\u0301'], 'occurs twice'],
    [['a', 'a/b'], 'lies in a folder that is a file of the set too'],
    [['A', 'a/b'], 'lies in a folder that is a file of the set too'],
  ])('refuse %j', (paths, why) => {
    expect(() => sorted(...paths)).toThrow(why);
  });

  it.each(['link', 'submodule', 'device', 'encrypted'] as const)('refuse a %s as a whole', (special) => {
    expect(() => sortFileSet([{ path: 'a' }, { path: 'node_modules/.bin/x', special }])).toThrow(
      '"node_modules/.bin/x" is',
    );
  });

  it('refuse a hostile path also inside a folder that is left out', () => {
    expect(() => sorted('node_modules/../../x')).toThrow('has a part ".."');
    expect(() => sorted('.git/../x')).toThrow('has a part ".."');
  });

  it('leave out what is no content, and say why', () => {
    const { stored, skipped } = sorted(
      'index.html',
      '.git/HEAD',
      'sub/.git/HEAD',
      'node_modules/a.js',
      '__MACOSX/._a',
      'sub/.DS_Store',
      '.env',
      '.env.local',
      'tool.EXE',
      'lib.dylib',
      '.environment',
      'src/constructor/a.js',
    );
    expect(stored.map(({ path }) => path)).toEqual(['.environment', 'index.html', 'src/constructor/a.js']);
    expect(skipped.map(({ reason }) => reason)).toEqual([
      'version control',
      'version control',
      'dependencies',
      'system file',
      'system file',
      'may hold secrets',
      'may hold secrets',
      'executable',
      'executable',
    ]);
  });

  it('of any safe paths keep each exactly once', () => {
    const path = fc
      .array(fc.stringMatching(/^[a-z0-9_-]{1,6}$/), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join('/'))
      .filter((each) => readFilePath(each).path !== null);
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 20, selector: foldedPath }), (paths) => {
        try {
          const { stored, skipped } = sorted(...paths);
          expect([...stored, ...skipped].map((file) => file.path).sort()).toEqual([...paths].sort());
        } catch (error) {
          const folders = paths.filter((each) => paths.some((other) => other.startsWith(`${each}/`)));
          expect([String(error), folders.length > 0]).toEqual([expect.stringContaining('folder'), true]);
        }
      }),
    );
  });
});
