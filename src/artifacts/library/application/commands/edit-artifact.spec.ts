import { TestDatabase } from '../../../../../test/support/test-database.js';
import { LibraryRig } from '../../testing/library-rig.js';
import { GetArtifact } from '../queries/get-artifact.js';
import { EditArtifact } from './edit-artifact.js';

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

describe('editing', () => {
  const edit = (artifactId: string, baseRevision: string, changes: object[], commitMessage = 'Change') =>
    rig
      .get(EditArtifact)
      .execute(rig.agent, { projectId: rig.projectId, artifactId, baseRevision, commitMessage, changes });

  it('writes, moves, deletes and replaces in the given order, as one version', async () => {
    const { artifactId, revision } = await rig.create({
      'a.txt': 'a',
      'b.txt': 'b',
      'w.txt': 'x\r\ny\r\nz\r\n',
    });
    const done = await edit(artifactId, revision!, [
      { op: 'move', fromPath: 'a.txt', toPath: 'sub/a.txt' },
      { op: 'write', path: 'a.txt', content: 'new' },
      { op: 'delete', path: 'b.txt' },
      { op: 'str_replace', path: 'w.txt', oldText: 'x\ny', newText: 'p\nq' },
      {
        op: 'write',
        path: 'pixel.bin',
        content: Buffer.from([0, 1, 2]).toString('base64'),
        encoding: 'base64',
      },
    ]);
    expect(done).toMatchObject({
      version: 2,
      changedFiles: ['a.txt', 'b.txt', 'pixel.bin', 'sub/a.txt', 'w.txt'],
      previousRevision: revision,
    });
    expect((await rig.read(artifactId, 'w.txt')).content).toMatchObject({ text: 'p\r\nq\r\nz\r\n' });
    expect((await rig.read(artifactId, 'sub/a.txt')).content).toMatchObject({ text: 'a' });
  });

  it('that changes nothing stores nothing', async () => {
    const { artifactId, revision } = await rig.create({ 'a.txt': 'a' });
    const done = await edit(artifactId, revision!, [{ op: 'write', path: 'a.txt', content: 'a' }]);
    expect(done).toMatchObject({ version: 1, revision, unchanged: true });
  });

  it.each([
    [[{ op: 'write', path: '../x', content: '' }], 'changes[0].path: has a part ".."'],
    [[{ op: 'write', path: '.env', content: '' }], 'changes[0].path is not stored: .env (may hold secrets).'],
    [[{ op: 'delete', path: 'none' }], 'changes[0].path names no file: none does not exist.'],
    [[{ op: 'move', fromPath: 'a.txt', toPath: 'b.txt' }], 'changes[0].toPath is taken: b.txt exists.'],
    [[{ op: 'explode', path: 'a.txt' }], 'changes[0].op: must be one of str_replace, write, delete, move'],
    [[{ op: 'delete', path: 'a.txt', content: 'x' }], 'changes[0].content: does not apply to delete'],
    [
      [{ op: 'str_replace', path: 'a.txt', oldText: 'zzz', newText: '' }],
      'changes[0].oldText does not occur in a.txt',
    ],
    [
      [
        {
          op: 'str_replace',
          path: 'a.txt',
          oldText: 'a',
          newText: '',
          replaceAll: true,
          expectedReplacements: 5,
        },
      ],
      'changes[0].expectedReplacements is 5, but oldText occurs 1 times in a.txt.',
    ],
    [[], 'changes: must hold 1 to 20 operations'],
  ])('%j is refused: %s', async (changes, sentence) => {
    const { artifactId, revision } = await rig.create({ 'a.txt': 'a', 'b.txt': 'b' });
    await expect(edit(artifactId, revision!, changes)).rejects.toThrow(sentence);
    const { latestVersion } = await rig
      .get(GetArtifact)
      .execute(rig.agent, { projectId: rig.projectId, artifactId });
    expect(latestVersion).toBe(1);
  });

  it('names everything that is wrong with the call at once', async () => {
    const { artifactId } = await rig.create({ 'a.txt': 'a' });
    await expect(
      edit(artifactId, 'HEAD', [{ op: 'write', path: 'a.txt' }], 'Fine\nCo-Authored-By: Somebody'),
    ).rejects.toMatchObject({
      problems: [
        { argument: 'baseRevision' },
        { argument: 'commitMessage' },
        { argument: 'changes[0].content' },
      ],
    });
  });

  it('two on one base: the first stores, the second gets the conflict with the paths', async () => {
    const { artifactId, revision } = await rig.create({ 'a.txt': 'a' });
    const attempts = await Promise.allSettled(
      ['x', 'y'].map((content) => edit(artifactId, revision!, [{ op: 'write', path: 'a.txt', content }])),
    );
    expect(attempts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const lost = attempts.find((each) => each.status === 'rejected') as PromiseRejectedResult;
    expect(lost.reason).toMatchObject({
      code: 'revision_conflict',
      detail: { facts: { changedSinceBase: ['a.txt'] } },
    });
  });
});
