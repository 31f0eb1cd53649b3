import { TestDatabase } from '../../../../../test/support/test-database.js';
import { LibraryRig } from '../../testing/library-rig.js';
import { ExploreArtifact } from './explore-artifact.js';

let testDatabase: TestDatabase;
let rig: LibraryRig;

beforeAll(async () => {
  testDatabase = await TestDatabase.start();
  rig = await LibraryRig.start(testDatabase.database);
});
beforeEach(() => rig.forget());
afterAll(async () => {
  await rig?.stop();
  await testDatabase?.stop();
});

const bytes = (latin1: string) => Buffer.from(latin1, 'latin1');

describe('looking into an artifact', () => {
  const explore = async (artifactId: string, action: string, more: object = {}) => {
    const input = { projectId: rig.projectId, artifactId, action, ...more };
    return (await rig.get(ExploreArtifact).execute(rig.agent, input)) as unknown as Record<string, unknown>;
  };

  it('lists a folder without what others made, unless asked', async () => {
    const { artifactId } = await rig.create({
      'index.html': '',
      'src/a.js': '1',
      'src/lib/b.js': '2',
      'dist/out.js': '3',
    });
    const tree = await explore(artifactId, 'tree');
    expect((tree.files as { path: string }[]).map(({ path }) => path)).toEqual([
      'index.html',
      'src/a.js',
      'src/lib/b.js',
    ]);
    expect(tree).toMatchObject({ directories: ['src', 'src/lib'], truncated: false, version: 1 });
    expect((await explore(artifactId, 'tree', { path: 'src/', limit: 1 })).truncated).toBe(true);
    const all = await explore(artifactId, 'tree', { includeExcluded: true });
    expect(all.files).toHaveLength(4);
  });

  it('finds lines in texts, by words or by expression', async () => {
    const { artifactId } = await rig.create({
      'a.html': 'One\ntwo TWO two\n\nthree',
      'b.css': '.two { }',
      'c.png': bytes('\x89PNG\r\n\x1a\ntwo'),
    });
    const found = await explore(artifactId, 'search', { query: 'TWO' });
    expect(found.matches).toEqual([
      { path: 'a.html', line: 2, text: 'two TWO two', occurrences: 3 },
      { path: 'b.css', line: 1, text: '.two { }', occurrences: 1 },
    ]);
    const exact = await explore(artifactId, 'search', { query: 'TWO', caseSensitive: true });
    expect(exact.matches).toEqual([{ path: 'a.html', line: 2, text: 'two TWO two', occurrences: 1 }]);
    const expression = await explore(artifactId, 'search', { query: '^th.+e$', regex: true, path: 'a.html' });
    expect(expression.matches).toEqual([{ path: 'a.html', line: 4, text: 'three', occurrences: 1 }]);
    expect((await explore(artifactId, 'search', { query: 'two', limit: 1 })).truncated).toBe(true);
  });

  it('searches 50 MiB in 2,000 files within 2 s, or says that it did not come to the end', async () => {
    const line = `${'some words of a script '.repeat(20)}\n`;
    const one = line.repeat(Math.floor(26_000 / line.length));
    const given = Object.fromEntries(
      Array.from({ length: 1_999 }, (_, n) => [`src/${String(n).padStart(4, '0')}.js`, `${n}\n${one}`]),
    );
    const { artifactId } = await rig.create({ ...given, 'zz.txt': 'the needle' });
    const started = Date.now();
    const found = await explore(artifactId, 'search', { query: 'needle' });
    expect(Date.now() - started).toBeLessThan(4_000);
    expect((found.matches as object[]).length === 1 || found.truncated).toBe(true);
  }, 120_000);

  it('reads files with their line breaks, lines of one, and says what is missing', async () => {
    const { artifactId, revision } = await rig.create({
      'a.txt': '1\n2\n3\n4\n',
      'w.txt': 'x\r\ny\r\n',
      'p.png': bytes('\x89PNG\r\n\x1a\n'),
      'big.txt': 'z'.repeat(150_000),
      'big2.txt': 'z'.repeat(150_000),
      'deep/Notes.md': 'n',
    });
    const answer = await explore(artifactId, 'read', { paths: ['a.txt', 'w.txt', 'p.png', 'notes.md'] });
    expect(answer).toMatchObject({
      readAt: revision,
      files: [
        { path: 'a.txt', content: '1\n2\n3\n4\n', bytes: 8, lines: 4, eol: 'lf' },
        { path: 'w.txt', eol: 'crlf', lines: 2 },
        { path: 'p.png', binary: true, asset: true, mime: 'image/png', size: 8 },
      ],
      missingPaths: ['notes.md'],
      suggestions: ['deep/Notes.md'],
    });
    const lines = await explore(artifactId, 'read', { paths: ['a.txt'], range: '2,3' });
    expect(lines.files).toEqual([expect.objectContaining({ content: '2\n3', lines: 4 })]);
    const cut = await explore(artifactId, 'read', { paths: ['big.txt', 'big2.txt', 'a.txt'] });
    expect(cut.files).toMatchObject([
      { path: 'big.txt', truncated: true },
      { path: 'big2.txt', truncated: true },
      { path: 'a.txt', deferred: true },
    ]);
    await expect(explore(artifactId, 'read', { paths: ['a.txt'], range: '9,10' })).rejects.toThrow('4 lines');
    await expect(explore(artifactId, 'read', { paths: ['a.txt'], range: '3,2' })).rejects.toThrow('from,to');
  });

  it('tells the history, and reads at any commit of main by prefix', async () => {
    const first = await rig.create({ 'index.html': 'one', 'old.txt': 'o' });
    const second = await rig.push(
      first.artifactId,
      { 'index.html': 'two' },
      { notes: 'Second\n\nwith more' },
    );
    const { artifactId } = first;
    const history = await explore(artifactId, 'history', { limit: 1 });
    expect(history).toMatchObject({
      commits: [{ revision: second.revision, version: 2, message: 'Second\n\nwith more' }],
      nextCursor: '1',
    });
    expect(await explore(artifactId, 'history', { cursor: '1' })).toMatchObject({
      commits: [{ revision: first.revision, version: 1 }],
      nextCursor: null,
    });
    expect(await explore(artifactId, 'history', { revision: second.revision!.slice(0, 8) })).toMatchObject({
      commit: {
        version: 2,
        changedFiles: [
          { path: 'index.html', change: 'changed' },
          { path: 'old.txt', change: 'removed' },
        ],
      },
    });
    const old = await explore(artifactId, 'read', {
      paths: ['index.html'],
      revision: first.revision!.slice(0, 7),
    });
    expect(old).toMatchObject({ version: 1, files: [{ content: 'one' }] });
    for (const revision of ['main', 'refs/heads/main', `${first.revision}..HEAD`, 'abc']) {
      await expect(explore(artifactId, 'tree', { revision })).rejects.toThrow('revision must be');
    }
    await expect(explore(artifactId, 'tree', { revision: '0'.repeat(40) })).rejects.toThrow('not on main');
  });

  it('only lists the file of an asset', async () => {
    const { artifactId } = await rig.create(
      { 'logo.png': bytes('\x89PNG\r\n\x1a\n') },
      { artifactType: 'asset', framework: null },
    );
    expect((await explore(artifactId, 'tree')).files).toHaveLength(1);
    for (const action of ['search', 'read', 'history']) {
      await expect(explore(artifactId, action, { query: 'x', paths: ['logo.png'] })).rejects.toThrow(
        `action ${action} does not apply to an asset; use tree.`,
      );
    }
  });
});
