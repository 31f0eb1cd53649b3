import { InvalidInput } from '#libs/kernel/errors.js';
import { TestDatabase } from '../../../test/support/test-database.js';
import { OWNED_PROJECTS_MAX } from '../domain/project-limits.js';
import { ProjectRig } from '../testing/project-rig.js';
import { ProjectInitializer } from './ports/project-hooks.js';

let db: TestDatabase;
let rig: ProjectRig;

beforeAll(async () => {
  db = await TestDatabase.start();
});
afterAll(() => db.stop());
beforeEach(() => {
  rig = new ProjectRig(db.database);
});

const problemsOf = (error: unknown) => (error instanceof InvalidInput ? error.problems : error);

describe('creating a project', () => {
  it('platform 19.1: gives the slug of the name, the next number to a second one, and the plain slug to another owner', async () => {
    const ada = rig.person();
    expect((await rig.create.execute(ada, { name: 'Café Été!' })).slug).toBe('cafe-ete');
    expect((await rig.create.execute(ada, { name: 'Café Été!' })).slug).toBe('cafe-ete-2');
    expect((await rig.create.execute(rig.person('Bea'), { name: 'Café Été!' })).slug).toBe('cafe-ete');
    expect(rig.outbox.events.map((event) => event.type)).toEqual(Array(3).fill('ProjectCreated'));
    expect(rig.audit.entries.map((entry) => entry.operation)).toEqual(Array(3).fill('project.created'));
  });

  it('gives ten projects made at once ten slugs', async () => {
    const ada = rig.person();
    const made = await Promise.all(
      Array.from({ length: 10 }, () => rig.create.execute(ada, { name: 'Same' })),
    );
    expect(new Set(made.map((project) => project.slug)).size).toBe(10);
  });

  it('names every bad field at once and stores nothing', async () => {
    const ada = rig.person();
    const input = { name: '  ', description: 'x'.repeat(501), searchLanguage: 'klingon' };
    const problems = problemsOf(await rig.create.execute(ada, input).catch((error) => error));
    expect(problems).toEqual([
      { argument: 'name', sentence: 'must not be empty' },
      { argument: 'description', sentence: 'must be at most 500 characters' },
      {
        argument: 'searchLanguage',
        sentence: expect.stringMatching(/^Unknown search language "klingon"\. Use one of: .*english/),
      },
    ]);
    expect(await rig.list.execute(ada)).toEqual([]);
    expect(rig.outbox.events).toEqual([]);
  });

  it('counts code points: 100 emoji are a name, the value 0 too', async () => {
    const ada = rig.person();
    expect((await rig.create.execute(ada, { name: '🦊'.repeat(100) })).name).toBe('🦊'.repeat(100));
    expect((await rig.create.execute(ada, { name: '0' })).slug).toBe('0');
  });

  it('lets every context make its rows, and makes no project when one of them fails', async () => {
    const ada = rig.person();
    const seen: string[] = [];
    rig.hooks.addInitializer(
      new (class extends ProjectInitializer {
        override async initialize(_: unknown, project: { id: string; templateKey: string | null }) {
          seen.push(`${project.id} ${project.templateKey}`);
          if (project.templateKey === 'broken') throw new Error('no rows');
        }
      })(),
    );
    const project = await rig.create.execute(ada, { name: 'One', templateKey: 'plain' });
    await expect(rig.create.execute(ada, { name: 'Two', templateKey: 'broken' })).rejects.toThrow('no rows');
    expect(seen[0]).toBe(`${project.id} plain`);
    expect((await rig.list.execute(ada)).map((tile) => tile.name)).toEqual(['One']);
  });

  it('refuses the 501st project of an owner', async () => {
    const ada = rig.person();
    await db.database.query(
      `INSERT INTO projects.projects (id, owner_id, name, slug, created_at, updated_at)
       SELECT gen_random_uuid(), $1, 'p', 'p' || n, now(), now() FROM generate_series(1, $2::int) n`,
      [ada.personId, OWNED_PROJECTS_MAX],
    );
    await expect(rig.create.execute(ada, { name: 'One more' })).rejects.toMatchObject({ code: 'too_many' });
  });
});

describe('changing a project', () => {
  it('platform 19.2: a new name returns the new slug and the slug note, an empty description clears it, nothing changes nothing', async () => {
    const ada = rig.person();
    const { id } = await rig.create.execute(ada, { name: 'Acme', description: 'Shop' });
    const agent = rig.connection(ada.personId, id);
    const change = (changes: object) => rig.update.execute(agent, { projectId: id, changes });

    expect(await change({ name: 'Acme Site' })).toMatchObject({
      project: { name: 'Acme Site', slug: 'acme-site', version: 2 },
      changed: ['name', 'slug'],
      slugNote: "Rule files that name the old slug 'acme' stop matching.",
    });
    expect(await change({ description: '' })).toMatchObject({
      project: { description: '' },
      changed: ['description'],
      slugNote: null,
    });
    rig.audit.entries.length = 0;
    rig.outbox.events.length = 0;
    expect(await change({})).toMatchObject({ changed: [], slugNote: null, project: { version: 3 } });
    expect(await change({ name: ' Acme Site ' })).toMatchObject({ changed: [], project: { version: 3 } });
    expect([rig.audit.entries, rig.outbox.events]).toEqual([[], []]);
    expect(await change({ name: 'Acme site!' })).toMatchObject({ changed: ['name'], slugNote: null });
  });

  it('platform 19.3: a bad domain and a bad language come back in one answer that lists the languages', async () => {
    const ada = rig.person();
    const { id } = await rig.create.execute(ada, { name: 'Acme' });
    const changes = { domain: 'example.com/path', searchLanguage: 'klingon', description: 'kept out' };
    const error = await rig.update.execute(ada, { projectId: id, changes }).catch((e) => e);
    expect(problemsOf(error)).toEqual([
      { argument: 'domain', sentence: expect.stringContaining('host name such as example.com') },
      { argument: 'searchLanguage', sentence: expect.stringMatching(/Use one of: .*english.*german/) },
    ]);
    expect((await rig.get.execute(ada, id)).description).toBe('');
  });

  it('keeps a pasted domain as the host name alone, and clears it with an empty string', async () => {
    const ada = rig.person();
    const { id } = await rig.create.execute(ada, { name: 'Acme' });
    const domain = async (value: string) =>
      (await rig.update.execute(ada, { projectId: id, changes: { domain: value } })).project.domain;
    expect(await domain('https://Example.com/')).toBe('example.com');
    expect(await domain('')).toBeNull();
    for (const bad of [
      'example.com:8080',
      'exa mple.com',
      'a@b.example',
      'https://x/y',
      '-x.example',
      `${'a'.repeat(64)}.com`,
    ]) {
      await expect(domain(bad)).rejects.toThrow('domain: ');
    }
  });

  it('refuses a form that shows an old version, and hands back the project as it is', async () => {
    const ada = rig.person();
    const { id } = await rig.create.execute(ada, { name: 'Acme' });
    await rig.update.execute(ada, { projectId: id, changes: { description: 'Now' }, expectedVersion: 1 });
    await expect(
      rig.update.execute(ada, { projectId: id, changes: { description: 'Late' }, expectedVersion: 1 }),
    ).rejects.toMatchObject({ code: 'stale', detail: { current: { description: 'Now', version: 2 } } });
  });
});

describe('allowed origins', () => {
  it('platform 19.4: names all four bad entries and stores nothing', async () => {
    const ada = rig.person();
    const { id } = await rig.create.execute(ada, { name: 'Acme' });
    const origins = ['https://a.example.com/path', 'http://example.com', '*', 'https://*.co.uk'];
    const error = await rig.setOrigins.execute(ada, { projectId: id, origins }).catch((e) => e);
    expect((error as InvalidInput).problems.map((problem) => problem.argument)).toEqual([
      'origins[0]',
      'origins[1]',
      'origins[2]',
      'origins[3]',
    ]);
    expect((await rig.get.execute(ada, id)).allowedOrigins).toEqual([]);
  });

  it('merges what is the same once normalised, and the same list again changes and records nothing', async () => {
    const ada = rig.person();
    const { id } = await rig.create.execute(ada, { name: 'Acme' });
    const origins = ['https://B.example.com/', 'https://*.example.com', 'https://b.example.com:443'];
    const set = () => rig.setOrigins.execute(ada, { projectId: id, origins });
    const expected = ['https://b.example.com', 'https://*.example.com'];
    expect(await set()).toEqual({ origins: expected, changed: true, version: 2 });
    rig.audit.entries.length = 0;
    expect(await set()).toEqual({ origins: expected, changed: false, version: 2 });
    expect(rig.audit.entries).toEqual([]);
    expect(await rig.setOrigins.execute(ada, { projectId: id, origins: [] })).toMatchObject({
      origins: [],
      changed: true,
    });
  });

  it('takes at most 50', async () => {
    const ada = rig.person();
    const { id } = await rig.create.execute(ada, { name: 'Acme' });
    const origins = Array.from({ length: 51 }, (_, n) => `https://s${n}.example.com`);
    await expect(rig.setOrigins.execute(ada, { projectId: id, origins })).rejects.toThrow('origins: ');
  });
});

describe('who may do what', () => {
  it('platform 19.37 and 38: a viewer reads, a member contributes, a maintainer administers, and only the owner deletes', async () => {
    const [ada, mai, mel, vic, bob] = ['Ada', 'Mai', 'Mel', 'Vic', 'Bob'].map((name) => rig.person(name)) as [
      ReturnType<ProjectRig['person']>,
      ...ReturnType<ProjectRig['person']>[],
    ];
    const { id } = await rig.create.execute(ada, { name: 'Acme' });
    await rig.join(id, mai!.personId, 'maintainer');
    await rig.join(id, mel!.personId, 'member');
    await rig.join(id, vic!.personId, 'viewer');
    const changes = { description: 'New' };

    for (const actor of [vic!, mel!]) {
      const connection = rig.connection(actor.personId, id);
      expect((await rig.get.execute(connection, id)).name).toBe('Acme');
      await expect(rig.update.execute(connection, { projectId: id, changes })).rejects.toThrow(
        'This needs the maintainer role in the project. Ask its owner.',
      );
    }
    await rig.update.execute(rig.connection(mai!.personId, id), { projectId: id, changes });
    await expect(rig.remove.execute(mai!, { projectId: id, typedName: 'Acme' })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(rig.get.execute(bob!, id)).rejects.toThrow('Project not found or not accessible.');
    await expect(rig.update.execute(bob!, { projectId: id, changes })).rejects.toThrow(
      'Project not found or not accessible.',
    );
  });

  it('shows a shared project to its member with owner and role, and to nobody else', async () => {
    const ada = rig.person('Ada');
    const vic = rig.person('Vic');
    const { id } = await rig.create.execute(ada, { name: 'Acme' });
    await rig.join(id, vic.personId, 'viewer');
    expect(await rig.list.execute(vic)).toMatchObject([
      { id, role: 'viewer', ownerName: 'Ada', counts: { openCards: null } },
    ]);
    expect(await rig.list.execute(rig.person('Bob'))).toEqual([]);
  });
});

describe('deleting a project', () => {
  it('platform 19.27: needs the typed name, and from the commit on nobody and no connection reaches it', async () => {
    const ada = rig.person();
    const { id } = await rig.create.execute(ada, { name: 'Acme' });
    const bound = rig.connection(ada.personId, id);
    await expect(rig.remove.execute(ada, { projectId: id, typedName: 'acme' })).rejects.toThrow(
      'typedName: ',
    );
    expect(await rig.access.can(bound, id, 'read')).toBe(true);

    await rig.remove.execute(ada, { projectId: id, typedName: 'Acme' });
    expect(await rig.access.can(bound, id, 'read')).toBe(false);
    await expect(rig.get.execute(ada, id)).rejects.toMatchObject({ kind: 'not-found' });
    expect(await rig.list.execute(ada)).toEqual([]);
    expect(rig.outbox.events.at(-1)).toMatchObject({ type: 'ProjectDeleted', projectId: id });
    expect((await rig.create.execute(ada, { name: 'Acme' })).slug).toBe('acme');
  });

  it('follows the account: own projects are deleted, memberships in others end, and a repeat does nothing', async () => {
    const ada = rig.person();
    const bob = rig.person('Bob');
    const own = await rig.create.execute(ada, { name: 'Own' });
    const other = await rig.create.execute(bob, { name: 'Other' });
    await rig.join(other.id, ada.personId, 'member');
    await rig.join(own.id, bob.personId, 'member');
    rig.outbox.events.length = 0;
    const event = {
      id: rig.ids.next(),
      type: 'PersonDeleted',
      version: 1,
      aggregateId: ada.personId,
      projectId: null,
      personId: ada.personId,
      payload: {},
      actor: { kind: 'person' as const, id: ada.personId },
      occurredAt: new Date(),
    };
    for (const _ of [1, 2]) await db.database.run(() => rig.whenPersonDeleted.handle(event));
    expect(rig.outbox.events).toMatchObject([
      { type: 'ProjectDeleted', projectId: own.id },
      { type: 'MemberRemoved', projectId: other.id, personId: ada.personId },
    ]);
    expect((await rig.list.execute(bob)).map((tile) => tile.name)).toEqual(['Other']);
    expect(await rig.access.roleOf(ada.personId, other.id)).toBeNull();
  });
});
