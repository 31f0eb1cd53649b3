import type { ConnectionActor, PersonActor } from '#libs/kernel/actor.js';
import { UuidV7Ids } from '#libs/kernel/ids.js';
import { Signals } from '#libs/kernel/ports/signals.js';
import { connectionActor, personActor } from '#libs/kernel/testing/actors.js';
import { FixedClock } from '#libs/kernel/testing/fixed-clock.js';
import {
  RecordingAudit,
  RecordingLiveUpdates,
  RecordingOutbox,
} from '#libs/kernel/testing/recording-ports.js';
import type { Database } from '#libs/persistence/database.js';
import { DELETED_PERSON, PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import { CreateProject } from '../application/commands/create-project.js';
import { DeleteProject } from '../application/commands/delete-project.js';
import { SetProjectOrigins } from '../application/commands/set-project-origins.js';
import { UpdateProject } from '../application/commands/update-project.js';
import { ProjectHooks } from '../application/ports/project-hooks.js';
import { CountForProjects } from '../application/queries/count-for-projects.js';
import { GetProject } from '../application/queries/get-project.js';
import { GetProjectSettings } from '../application/queries/get-project-settings.js';
import { ListProjects } from '../application/queries/list-projects.js';
import { WhenPersonDeleted } from '../application/reactions/when-person-deleted.js';
import { SqlMemberships } from '../infrastructure/sql-memberships.js';
import { SqlProjectAccess } from '../infrastructure/sql-project-access.js';
import { SqlProjects } from '../infrastructure/sql-projects.js';
import { SqlSearchLanguages } from '../infrastructure/sql-search-languages.js';
import { TldtsPublicSuffixes } from '../infrastructure/tldts-public-suffixes.js';

/** People whom a test names; everybody it did not name is gone. */
export class KnownPeople extends PersonDirectory {
  private readonly people = new Map<string, { name: string; active: boolean }>();
  private readonly addresses = new Map<string, string>();

  add(id: string, name: string): string {
    this.people.set(id, { name, active: true });
    return id;
  }

  setActive(id: string, active: boolean): void {
    const person = this.people.get(id);
    if (person) this.people.set(id, { ...person, active });
  }

  override async names(ids: readonly string[]): Promise<Map<string, string>> {
    return new Map(ids.map((id) => [id, this.people.get(id)?.name ?? DELETED_PERSON]));
  }

  verified(id: string, email: string): void {
    this.addresses.set(email.toLowerCase(), id);
  }

  override async byVerifiedEmail(email: string): Promise<{ id: string; displayName: string } | null> {
    const id = this.addresses.get(email.trim().toLowerCase());
    const person = id === undefined ? undefined : this.people.get(id);
    return id !== undefined && person?.active ? { id, displayName: person.name } : null;
  }

  override async isActive(id: string): Promise<boolean> {
    return this.people.get(id)?.active ?? false;
  }
}

/** Wakes nobody. */
export class SilentSignals extends Signals {
  readonly connected = true;
  override async publish(): Promise<void> {}
  override subscribe(): () => void {
    return () => undefined;
  }
  override onResync(): () => void {
    return () => undefined;
  }
}

/** The use cases of projects on a real database, with everything they tell others kept for a look. */
export class ProjectRig {
  readonly ids = new UuidV7Ids();
  readonly clock = new FixedClock();
  readonly outbox = new RecordingOutbox();
  readonly audit = new RecordingAudit();
  readonly live = new RecordingLiveUpdates();
  readonly hooks = new ProjectHooks();
  readonly people = new KnownPeople();
  readonly memberships: SqlMemberships;
  readonly access: SqlProjectAccess;
  readonly create: CreateProject;
  readonly update: UpdateProject;
  readonly setOrigins: SetProjectOrigins;
  readonly remove: DeleteProject;
  readonly get: GetProject;
  readonly list: ListProjects;
  readonly settings: GetProjectSettings;
  readonly whenPersonDeleted: WhenPersonDeleted;

  constructor(database: Database) {
    const { outbox, audit, live, clock, hooks, people } = this;
    const projects = new SqlProjects(database);
    const languages = new SqlSearchLanguages(database);
    const counting = new CountForProjects(hooks);
    this.memberships = new SqlMemberships(database);
    const access = new SqlProjectAccess(database, people);
    this.access = access;
    this.create = new CreateProject(
      projects,
      languages,
      hooks,
      database,
      outbox,
      audit,
      live,
      this.ids,
      clock,
    );
    this.update = new UpdateProject(access, projects, languages, database, outbox, audit, live, clock);
    const suffixes = new TldtsPublicSuffixes();
    this.setOrigins = new SetProjectOrigins(access, projects, suffixes, database, outbox, audit, live, clock);
    const signals = new SilentSignals();
    this.remove = new DeleteProject(access, projects, database, outbox, audit, live, signals, clock);
    this.settings = new GetProjectSettings(access, database);
    this.get = new GetProject(this.settings, access, people, counting);
    this.list = new ListProjects(database, people, counting);
    this.whenPersonDeleted = new WhenPersonDeleted(this.remove, this.memberships, outbox, audit);
  }

  /** A new person, signed in. */
  person(name = 'Ada'): PersonActor {
    const personId = this.people.add(this.ids.next(), name);
    return personActor(personId);
  }

  /** A connection of a person: bound to a project, or covering all of theirs. */
  connection(personId: string, boundProjectId: string | null): ConnectionActor {
    if (boundProjectId !== null) return connectionActor(this.ids.next(), personId, boundProjectId);
    const everywhere = connectionActor(this.ids.next(), personId, '');
    return { ...everywhere, scopes: ['agent', 'mcp', 'projects'], boundProjectId, projectId: boundProjectId };
  }

  async join(projectId: string, personId: string, role: 'maintainer' | 'member' | 'viewer'): Promise<void> {
    await this.memberships.add({ projectId, personId, role, invitedBy: null, joinedAt: this.clock.now() });
  }
}
