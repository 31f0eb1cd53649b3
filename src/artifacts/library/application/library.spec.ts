import { InvalidInput } from '#libs/kernel/errors.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { LibraryRig } from '../testing/library-rig.js';
import { ArchiveArtifact } from './commands/archive-artifact.js';
import { ArchiveWorkspace } from './commands/archive-workspace.js';
import { ChangeWorkspace } from './commands/change-workspace.js';
import { CreateWorkspace } from './commands/create-workspace.js';
import { DuplicateArtifact } from './commands/duplicate-artifact.js';
import { EditArtifact } from './commands/edit-artifact.js';
import { SetArtifactCards } from './commands/set-artifact-cards.js';
import { UpdateMetadata } from './commands/update-metadata.js';
import { LibraryHooks } from './ports/library-hooks.js';
import { GetArtifact } from './queries/get-artifact.js';
import { ListLibraryPage } from './queries/library-page.js';
import { ListArtifacts } from './queries/list-artifacts.js';
import { ListWorkspaces } from './queries/list-workspaces.js';

const NOT_FOUND = 'Artifact not found or not accessible.';

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

const operations = () => rig.audit.entries.map(({ operation }) => operation);

describe('archiving', () => {
  it('artifacts 4: is recorded once, however often it is asked for', async () => {
    const { artifactId } = await rig.create();
    rig.forget();
    const archive = () =>
      rig.get(ArchiveArtifact).execute(rig.agent, { projectId: rig.projectId, artifactId });
    expect(await archive()).toEqual({ artifactId, archived: true, changed: true });
    expect(await archive()).toEqual({ artifactId, archived: true, changed: false });
    expect(operations()).toEqual(['artifact.archived']);
    expect(rig.outbox.events.map(({ type }) => type)).toEqual(['ArtifactArchived']);
    await expect(rig.push(artifactId, { 'index.html': 'x' })).rejects.toThrow(
      'Artifact is archived. Call artifact_unarchive first.',
    );
  });

  it('is for those who may write', async () => {
    const { artifactId } = await rig.create();
    const archive = (actor: typeof rig.viewer) =>
      rig.get(ArchiveArtifact).execute(actor, { projectId: rig.projectId, artifactId });
    await expect(archive(rig.viewer)).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(archive(rig.stranger)).rejects.toThrow(NOT_FOUND);
  });
});

describe('what stands around the files', () => {
  const update = (
    artifactId: string,
    change: object,
    actor = rig.agent as typeof rig.agent | typeof rig.owner,
  ) => rig.get(UpdateMetadata).execute(actor, { projectId: rig.projectId, artifactId, ...change });

  it('is changed without a version; no change is no record; a stale page is told', async () => {
    const { artifactId } = await rig.create();
    rig.forget();
    expect(await update(artifactId, { name: '  New name ', description: 'D' })).toMatchObject({
      name: 'New name',
      description: 'D',
      message: 'Changed: name, description.',
    });
    expect(await update(artifactId, { name: 'New name' })).toMatchObject({ message: 'Nothing changed.' });
    expect(operations()).toEqual(['artifact.metadata_updated']);
    await expect(update(artifactId, { name: 'Other', edit: 1 }, rig.owner)).rejects.toMatchObject({
      code: 'stale',
    });
    await expect(update(artifactId, {})).rejects.toBeInstanceOf(InvalidInput);
    await expect(update(artifactId, { name: 'x'.repeat(121) })).rejects.toThrow('at most 120');
  });

  it('goes public only where the instance allows it, and back with a new epoch', async () => {
    const { artifactId } = await rig.create();
    await expect(update(artifactId, { privacy: 'public' })).rejects.toThrow(
      'Public links are switched off on this instance.',
    );
    rig.flags.set('artifacts.public_links.enabled', 'true');
    try {
      await update(artifactId, { privacy: 'public' });
      await update(artifactId, { privacy: 'private' });
    } finally {
      rig.flags.set('artifacts.public_links.enabled', null);
    }
    const row = await testDatabase.database.one(
      'SELECT privacy, preview_epoch FROM artifacts.artifact WHERE id = $1',
      [artifactId],
    );
    expect(row).toEqual({ privacy: 'private', preview_epoch: 2 });
  });

  it('a copy has the files and nothing else of its source', async () => {
    const source = await rig.create({ 'index.html': 'x', 'a.css': 'y' }, { name: 'N'.repeat(120) });
    const copy = await rig
      .get(DuplicateArtifact)
      .execute(rig.agent, { projectId: rig.projectId, artifactId: source.artifactId });
    expect(copy.name).toBe(`${'N'.repeat(113)} (Copy)`);
    const answer = await rig
      .get(GetArtifact)
      .execute(rig.agent, { projectId: rig.projectId, artifactId: copy.artifactId });
    expect(answer).toMatchObject({
      origin: 'duplicate',
      privacy: 'private',
      latestVersion: 1,
      fileCount: 2,
      cards: [],
      revision: copy.revision,
    });
    expect(copy.revision).not.toBe(source.revision);
  });

  it('cards are replaced as a whole, each of the project, each once', async () => {
    const cards = new Map([1, 2].map((number) => [rig.ids.next(), number]));
    const fact = (cardId: string) => ({ cardId, number: cards.get(cardId)!, title: 'Card' });
    rig.get(LibraryHooks).serveCardFacts({
      byIds: async (_project, ids) => new Map(ids.filter((id) => cards.has(id)).map((id) => [id, fact(id)])),
      byNumbers: async (_project, numbers) =>
        new Map([...cards].filter(([, n]) => numbers.includes(n)).map(([id, n]) => [n, fact(id)])),
    });
    const { artifactId } = await rig.create();
    const set = (input: object) =>
      rig.get(SetArtifactCards).execute(rig.agent, { projectId: rig.projectId, artifactId, ...input });
    const [one, two] = [...cards.keys()] as [string, string];
    rig.forget();
    expect(await set({ cardIds: [two, one, two] })).toEqual({ artifactId, cards: [fact(two), fact(one)] });
    await set({ cardIds: [two, one] });
    expect(operations()).toEqual(['artifact.cards_changed']);
    await expect(set({ cardIds: [one, 'x', rig.ids.next()] })).rejects.toThrow(
      'cardIds[1] names no card of this project.',
    );
    expect((await set({ cardNumbers: [2] })).cards).toEqual([fact(two)]);
    const page = await rig.get(ListLibraryPage).execute(rig.owner, { projectId: rig.projectId });
    expect(page.artifacts.find((row) => row.artifactId === artifactId)!.cards).toEqual([fact(two)]);
  });
});

describe('workspaces', () => {
  const make = (name: string) =>
    rig.get(CreateWorkspace).execute(rig.owner, { projectId: rig.projectId, name });

  it('have names of their own without regard to case, and are of those who administer', async () => {
    const { workspaceId } = await make('Names');
    await expect(make('nAMES')).rejects.toMatchObject({ code: 'taken' });
    await expect(
      rig.get(CreateWorkspace).execute(rig.member, { projectId: rig.projectId, name: 'Mine' }),
    ).rejects.toMatchObject({ kind: 'forbidden' });
    const archive = (id: string) =>
      rig
        .get(ArchiveWorkspace)
        .execute(rig.owner, { projectId: rig.projectId, workspaceId: id, archived: true });
    const { artifactId } = await rig.create({ 'index.html': '' }, { workspaceId });
    await expect(archive(workspaceId)).rejects.toMatchObject({ code: 'not_empty' });
    await rig.get(ArchiveArtifact).execute(rig.owner, { projectId: rig.projectId, artifactId });
    expect(await archive(workspaceId)).toMatchObject({ archived: true });
    const { workspaces } = await rig.get(ListWorkspaces).execute(rig.agent, { projectId: rig.projectId });
    expect(workspaces[0]).toMatchObject({
      name: 'General',
      isGeneral: true,
      capabilities: ['read', 'write'],
    });
    expect(workspaces.map(({ name }) => name)).not.toContain('Names');
    await expect(archive(workspaces[0]!.workspaceId)).rejects.toMatchObject({ code: 'general' });
  });

  it('closed to agents hide their artifacts from them, and from nobody else', async () => {
    const { workspaceId } = await make('Closed');
    const { artifactId } = await rig.create({ 'index.html': '' }, { workspaceId, name: 'Hidden' });
    const access = (agentAccess: string) =>
      rig.get(ChangeWorkspace).execute(rig.owner, { projectId: rig.projectId, workspaceId, agentAccess });
    await access('none');
    const list = (actor: typeof rig.agent | typeof rig.owner) =>
      rig.get(ListArtifacts).execute(actor, { projectId: rig.projectId, search: 'hidden' });
    expect((await list(rig.agent)).artifacts).toEqual([]);
    expect((await list(rig.owner)).artifacts).toHaveLength(1);
    await expect(rig.read(artifactId, 'index.html')).rejects.toThrow(NOT_FOUND);
    await access('read');
    expect((await rig.read(artifactId, 'index.html')).content).toMatchObject({ text: '' });
    await expect(
      rig.get(ArchiveArtifact).execute(rig.agent, { projectId: rig.projectId, artifactId }),
    ).rejects.toThrow('Agents may only read in workspace Closed.');
    await expect(
      rig.get(ListArtifacts).execute(rig.agent, { projectId: rig.projectId, workspaceId: rig.ids.next() }),
    ).rejects.toThrow('workspaceId names no workspace of this project. Call workspace_list_workspaces.');
  });
});

describe('what is refused', () => {
  it('artifacts 14: a worker session reads and archives, and stores nothing', async () => {
    rig.get(LibraryHooks).serveWorkerSessions({ isWorkerSession: async (id) => id === 'run-1' });
    const worker = { ...rig.agent, agentSessionId: 'run-1' };
    const { artifactId, revision } = await rig.create({ 'index.html': 'x' });
    const input = { projectId: rig.projectId, artifactId };
    rig.forget();
    const refusal =
      'A worker session reads artifacts and does not store them. A person stores a version with loupe artifact push.';
    await expect(
      rig.get(EditArtifact).execute(worker, {
        ...input,
        baseRevision: revision,
        commitMessage: 'x',
        changes: [{ op: 'delete', path: 'index.html' }],
      }),
    ).rejects.toThrow(refusal);
    await expect(rig.get(UpdateMetadata).execute(worker, { ...input, name: 'x' })).rejects.toThrow(refusal);
    await expect(rig.get(DuplicateArtifact).execute(worker, input)).rejects.toThrow(refusal);
    await expect(rig.get(SetArtifactCards).execute(worker, { ...input, cardIds: [] })).rejects.toThrow(
      refusal,
    );
    expect(rig.audit.entries.map(({ operation, outcome }) => [operation, outcome])).toEqual([
      ['artifact.version_stored', 'refused'],
      ['artifact.metadata_updated', 'refused'],
      ['artifact.duplicated', 'refused'],
      ['artifact.cards_changed', 'refused'],
    ]);
    expect(await rig.get(GetArtifact).execute(worker, input)).toMatchObject({ latestVersion: 1 });
    expect(await rig.get(ArchiveArtifact).execute(worker, input)).toMatchObject({ changed: true });
  });

  it('by a rule is recorded; what is not found, and what two writers meet, is not', async () => {
    const { artifactId, revision } = await rig.create({ 'index.html': 'x' });
    await rig.get(ArchiveArtifact).execute(rig.owner, { projectId: rig.projectId, artifactId });
    rig.forget();
    const edit = (id: string, baseRevision: string) =>
      rig.get(EditArtifact).execute(rig.agent, {
        projectId: rig.projectId,
        artifactId: id,
        baseRevision,
        commitMessage: 'x',
        changes: [{ op: 'delete', path: 'index.html' }],
      });
    await expect(edit(artifactId, revision!)).rejects.toMatchObject({ code: 'archived' });
    await expect(edit(rig.ids.next(), revision!)).rejects.toThrow(NOT_FOUND);
    const other = await rig.create({ 'index.html': 'y' });
    rig.audit.entries.length = 1;
    await expect(edit(other.artifactId, revision!)).rejects.toMatchObject({ code: 'revision_conflict' });
    expect(rig.audit.entries).toEqual([
      expect.objectContaining({ outcome: 'refused', subjectId: artifactId, context: { code: 'archived' } }),
    ]);
  });
});
