import type { DomainEvent } from '#libs/kernel/domain-event.js';
import { TestDatabase } from '../../../../../test/support/test-database.js';
import { LibraryRig } from '../../testing/library-rig.js';
import { MintGitToken } from '../commands/mint-git-token.js';
import { ReserveUpload } from '../commands/reserve-upload.js';
import { StartPush } from '../commands/start-push.js';
import { EndWaysIn } from './end-ways-in.js';

describe('the end of git tokens and uploads', () => {
  let db: TestDatabase;
  let rig: LibraryRig;

  beforeAll(async () => {
    db = await TestDatabase.start();
    rig = await LibraryRig.start(db.database);
  });

  afterAll(async () => {
    await rig.stop();
    await db.stop();
  });

  /** Ends what the event says; answers how many tokens and uploads are left. */
  async function leftAfter(event: Partial<DomainEvent>): Promise<{ tokens: number; uploads: number }> {
    await rig.get(EndWaysIn).handle({
      id: rig.ids.next(),
      type: 'PersonDeleted',
      version: 1,
      aggregateId: rig.ids.next(),
      projectId: null,
      personId: null,
      payload: {},
      actor: { kind: 'system', id: null },
      occurredAt: rig.clock.now(),
      ...event,
    });
    const row = await db.database.one<{ tokens: number; uploads: number }>(
      `SELECT (SELECT count(*) FROM artifacts.git_token WHERE revoked_at IS NULL) AS tokens,
              (SELECT count(*) FROM artifacts.upload WHERE state <> 'expired') AS uploads`,
    );
    return row!;
  }

  it('comes with their connection, role, membership, person or artifact, and leaves those of others', async () => {
    const { artifactId } = await rig.create();
    const other = await rig.create();
    const agent = rig.connection(rig.member.personId, rig.projectId);
    const mint = rig.get(MintGitToken);
    await mint.execute(rig.owner, { artifactId });
    await mint.execute(rig.owner, { artifactId: other.artifactId });
    await mint.execute(rig.member, { artifactId });
    await mint.execute(agent, { artifactId });
    await rig.get(ReserveUpload).execute(agent, { projectId: rig.projectId });
    await rig.get(ReserveUpload).execute(rig.member, { projectId: rig.projectId });
    await rig.get(ReserveUpload).execute(rig.owner, { projectId: rig.projectId });
    const { personId } = rig.member;

    expect(await leftAfter({ type: 'ConnectionRevoked', aggregateId: agent.connectionId })).toEqual({
      tokens: 3,
      uploads: 2,
    });
    const role = { type: 'MemberRoleChanged', projectId: rig.projectId, personId };
    expect(await leftAfter({ ...role, payload: { role: 'maintainer' } })).toEqual({ tokens: 3, uploads: 2 });
    expect(await leftAfter({ ...role, projectId: rig.otherProjectId, payload: { role: 'viewer' } })).toEqual({
      tokens: 3,
      uploads: 2,
    });
    expect(await leftAfter({ ...role, payload: { role: 'viewer' } })).toEqual({ tokens: 2, uploads: 2 });
    expect(await leftAfter({ type: 'MemberRemoved', projectId: rig.projectId, personId })).toEqual({
      tokens: 2,
      uploads: 1,
    });
    expect(await leftAfter({ type: 'ArtifactDeleted', aggregateId: other.artifactId })).toEqual({
      tokens: 1,
      uploads: 1,
    });
    await rig.get(StartPush).execute(rig.member, {
      projectId: rig.projectId,
      files: [{ path: 'index.html', sha256: 'a'.repeat(64), bytes: 1 }],
    });
    const pushes = () => db.database.query('SELECT id FROM artifacts.push');
    expect(await pushes()).toHaveLength(1);
    await leftAfter({ type: 'PersonDeleted', personId });
    expect(await pushes()).toEqual([]);
    expect(await leftAfter({ type: 'ProjectDeleted', aggregateId: rig.otherProjectId })).toEqual({
      tokens: 1,
      uploads: 1,
    });
    expect(await leftAfter({ type: 'PersonSuspended', personId: rig.owner.personId })).toEqual({
      tokens: 0,
      uploads: 0,
    });
  });
});
