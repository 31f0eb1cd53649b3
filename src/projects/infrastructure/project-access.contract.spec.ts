import { UuidV7Ids } from '#libs/kernel/ids.js';
import type { AccessLevel, ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { FakeProjectAccess } from '#libs/kernel/testing/fake-project-access.js';
import { TestDatabase } from '../../../test/support/test-database.js';
import { ProjectRig } from '../testing/project-rig.js';
import { SqlProjectDirectory } from './sql-project-directory.js';

interface World {
  readonly access: ProjectAccess;
  readonly owner: string;
  readonly member: string;
  readonly viewer: string;
  readonly stranger: string;
  readonly acme: string;
  readonly zoo: string;
  suspend(personId: string): void;
  delete(projectId: string): Promise<void>;
}

let db: TestDatabase;
beforeAll(async () => {
  db = await TestDatabase.start();
});
afterAll(() => db.stop());

async function real(): Promise<World> {
  const rig = new ProjectRig(db.database);
  const [owner, member, viewer, stranger] = ['O', 'M', 'V', 'S'].map((name) => rig.person(name));
  const acme = await rig.create.execute(owner!, { name: 'acme' });
  const zoo = await rig.create.execute(member!, { name: 'Zoo' });
  await rig.join(acme.id, member!.personId, 'member');
  await rig.join(acme.id, viewer!.personId, 'viewer');
  return {
    access: rig.access,
    owner: owner!.personId,
    member: member!.personId,
    viewer: viewer!.personId,
    stranger: stranger!.personId,
    acme: acme.id,
    zoo: zoo.id,
    suspend: (personId) => rig.people.setActive(personId, false),
    delete: (projectId) => rig.remove.execute(owner!, { projectId, typedName: 'acme' }),
  };
}

async function fake(): Promise<World> {
  const ids = new UuidV7Ids();
  const [owner, member, viewer, stranger, acme, zoo] = Array.from({ length: 6 }, () => ids.next()) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const access = new FakeProjectAccess()
    .add(acme, owner, { [member]: 'member', [viewer]: 'viewer' }, 'acme', 'acme')
    .add(zoo, member, {}, 'Zoo', 'zoo');
  return {
    access,
    owner,
    member,
    viewer,
    stranger,
    acme,
    zoo,
    suspend: (personId) => access.setActive(personId, false),
    delete: async (projectId) => access.delete(projectId),
  };
}

describe.each([
  ['SqlProjectAccess', real],
  ['FakeProjectAccess', fake],
])('%s', (_name, make) => {
  const levels: AccessLevel[] = ['read', 'contribute', 'administer'];
  let world: World;
  beforeEach(async () => {
    world = await make();
  });

  const person = (personId: string) => ({ kind: 'person', personId, sessionId: 's', isAdmin: true }) as const;
  const connection = (personId: string, boundProjectId: string | null, scopes: ('mcp' | 'projects')[]) =>
    ({
      kind: 'connection',
      connectionId: 'c',
      personId,
      clientId: 'c',
      scopes,
      boundProjectId,
      projectId: boundProjectId,
      agentSessionId: null,
      channel: 'mcp',
    }) as const;
  const granted = async (actor: Parameters<ProjectAccess['can']>[0], projectId: string) => {
    const result: AccessLevel[] = [];
    for (const level of levels) if (await world.access.can(actor, projectId, level)) result.push(level);
    return result;
  };

  it('gives each role its levels, and an instance admin none', async () => {
    expect(await granted(person(world.owner), world.acme)).toEqual(levels);
    expect(await granted(person(world.member), world.acme)).toEqual(['read', 'contribute']);
    expect(await granted(person(world.viewer), world.acme)).toEqual(['read']);
    expect(await granted(person(world.stranger), world.acme)).toEqual([]);
    expect(await world.access.levelOf(person(world.viewer), world.acme)).toBe('read');
    expect(await world.access.levelOf(person(world.stranger), world.acme)).toBeNull();
    expect(await world.access.roleOf(world.owner, world.acme)).toBe('owner');
  });

  it('lets a connection act where it is bound, or everywhere with the projects scope', async () => {
    expect(await granted(connection(world.member, world.acme, ['mcp']), world.acme)).toEqual([
      'read',
      'contribute',
    ]);
    expect(await granted(connection(world.member, world.acme, ['mcp']), world.zoo)).toEqual([]);
    expect(await granted(connection(world.member, null, ['mcp', 'projects']), world.zoo)).toEqual(levels);
    expect(await granted(connection(world.member, null, ['mcp']), world.zoo)).toEqual([]);
  });

  it('lets the system and the console pass', async () => {
    expect(await granted({ kind: 'system', jobName: 'x' }, world.acme)).toEqual(levels);
    expect(await granted({ kind: 'console', osUser: 'x' }, world.acme)).toEqual(levels);
  });

  it('answers no to a suspended person, for a deleted project, and for what is no id', async () => {
    expect(await granted(person(world.owner), 'acme')).toEqual([]);
    world.suspend(world.viewer);
    expect(await granted(person(world.viewer), world.acme)).toEqual([]);
    await world.delete(world.acme);
    expect(await granted(person(world.owner), world.acme)).toEqual([]);
    expect(await world.access.projectsOf(world.owner, 'read')).toEqual([]);
  });

  it('lists own projects before shared ones, by level', async () => {
    const of = async (personId: string, level: AccessLevel) =>
      (await world.access.projectsOf(personId, level)).map((project) => `${project.name} ${project.role}`);
    expect(await of(world.member, 'read')).toEqual(['Zoo owner', 'acme member']);
    expect(await of(world.member, 'administer')).toEqual(['Zoo owner']);
    expect(await of(world.viewer, 'contribute')).toEqual([]);
  });
});

describe('SqlProjectDirectory', () => {
  it('knows projects by id and leaves out deleted and unknown ones', async () => {
    const rig = new ProjectRig(db.database);
    const owner = rig.person();
    const kept = await rig.create.execute(owner, { name: 'Kept' });
    const gone = await rig.create.execute(owner, { name: 'Gone' });
    await rig.remove.execute(owner, { projectId: gone.id, typedName: 'Gone' });
    const facts = await new SqlProjectDirectory(db.database).byIds([kept.id, gone.id, rig.ids.next()]);
    expect([...facts.values()]).toEqual([
      { id: kept.id, slug: 'kept', name: 'Kept', ownerId: owner.personId, searchLanguage: 'english' },
    ]);
  });

  it('says which page origins a project lists, by a wildcard too', async () => {
    const rig = new ProjectRig(db.database);
    const owner = rig.person();
    const { id } = await rig.create.execute(owner, { name: 'Embeds' });
    await rig.setOrigins.execute(owner, { projectId: id, origins: ['https://*.example.com'] });
    const directory = new SqlProjectDirectory(db.database);
    expect(await directory.allowsOrigin(id, 'https://a.example.com')).toBe(true);
    expect(await directory.allowsOrigin(id, 'https://example.com')).toBe(false);
    expect(await directory.allowsOrigin(rig.ids.next(), 'https://a.example.com')).toBe(false);
  });
});
