import type { ConnectionActor, PersonActor } from '#libs/kernel/actor.js';
import { UuidV7Ids } from '#libs/kernel/ids.js';
import { connectionActor, personActor } from '#libs/kernel/testing/actors.js';
import { FakeProjectAccess } from '#libs/kernel/testing/fake-project-access.js';
import { NamedPeople } from './named-people.js';

/** The people of a test: those of one project with its owner's agent, and somebody who owns another. */
export class Cast {
  readonly ids = new UuidV7Ids();
  readonly people = new NamedPeople();
  readonly access = new FakeProjectAccess();
  /** Ids of the connections of this test. */
  readonly connected = new Set<string>();
  readonly owner = this.person('Ada Owner');
  readonly member = this.person('Ben Member');
  readonly viewer = this.person('Vic Viewer');
  readonly stranger = this.person('Sam Stranger');
  readonly projectId = this.ids.next();
  readonly otherProjectId = this.ids.next();
  readonly agent = this.connection(this.owner.personId, this.projectId);

  constructor() {
    this.access.add(this.projectId, this.owner.personId, {
      [this.member.personId]: 'member',
      [this.viewer.personId]: 'viewer',
    });
    this.access.add(this.otherProjectId, this.stranger.personId);
  }

  person(name: string): PersonActor {
    const personId = this.ids.next();
    this.people.known.set(personId, name);
    return personActor(personId);
  }

  connection(personId: string, projectId: string): ConnectionActor {
    const connectionId = this.ids.next();
    this.connected.add(connectionId);
    return connectionActor(connectionId, personId, projectId);
  }
}
