import { TestDatabase } from '../../../../../test/support/test-database.js';
import { LibraryRig } from '../../testing/library-rig.js';
import { CompareVersions } from './compare-versions.js';
import { DiffFile } from './diff-file.js';

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

describe('comparing versions', () => {
  it('artifacts 57: tells added, removed, changed and same files, and what differs in a text', async () => {
    const { artifactId } = await rig.create({
      'a.txt': 'one\ntwo\nthree\n',
      'gone.txt': 'g',
      'same.txt': 's',
    });
    await rig.push(artifactId, {
      'a.txt': 'one\ntwo and a half\nthree\n',
      'new.png': bytes('\x89PNG\r\n\x1a\n'),
      'same.txt': 's',
    });
    const input = { projectId: rig.projectId, artifactId };
    const compared = await rig.get(CompareVersions).execute(rig.viewer, input);
    expect(compared.counts).toEqual({ added: 1, removed: 1, changed: 1, same: 1 });
    expect(compared.files.map(({ path, change }) => [path, change])).toEqual([
      ['a.txt', 'changed'],
      ['gone.txt', 'removed'],
      ['new.png', 'added'],
      ['same.txt', 'same'],
    ]);
    const diff = await rig.get(DiffFile).execute(rig.viewer, { ...input, path: 'a.txt' });
    expect(diff).toMatchObject({
      kind: 'text',
      hunks: [
        {
          fromLine: 1,
          toLine: 1,
          lines: [
            { op: ' ', text: 'one' },
            { op: '-', text: 'two', words: [{ op: ' ', text: 'two' }] },
            {
              op: '+',
              text: 'two and a half',
              words: [
                { op: ' ', text: 'two' },
                { op: '+', text: ' and a half' },
              ],
            },
            { op: ' ', text: 'three' },
          ],
        },
      ],
    });
    expect(await rig.get(DiffFile).execute(rig.viewer, { ...input, path: 'new.png' })).toMatchObject({
      kind: 'image',
      change: 'added',
      hunks: [],
    });
  });

  it('of one version only says so', async () => {
    const { artifactId } = await rig.create();
    await expect(
      rig.get(CompareVersions).execute(rig.viewer, { projectId: rig.projectId, artifactId }),
    ).rejects.toMatchObject({ code: 'one_version' });
  });
});
