import { type ConnectedMachine, ConnectionDirectory } from '../application/ports/connection-directory.js';

export interface KnownConnection extends Omit<ConnectedMachine, 'usedThisProjectAt'> {
  readonly personId: string;
  /** The one project of a bound connection, null for one that covers all. */
  readonly projectId: string | null;
  /** Last use by project. */
  readonly uses?: Readonly<Record<string, Date>>;
  readonly ended?: boolean;
}

/** Connections kept in memory; the contract test holds it to the real ones. */
export class InMemoryConnectionDirectory extends ConnectionDirectory {
  private readonly all: readonly KnownConnection[];

  constructor(...connections: readonly KnownConnection[]) {
    super();
    this.all = connections;
  }

  override async ofPerson(personId: string, projectId: string): Promise<ConnectedMachine[]> {
    const seen = (machine: ConnectedMachine): number => (machine.lastSeenAt ?? machine.signedInAt).getTime();
    return this.all
      .filter((known) => known.personId === personId && !known.ended)
      .filter((known) => known.projectId === null || known.projectId === projectId)
      .map(({ connectionId, label, clientId, clientName, signedInAt, lastSeenAt, uses }) => ({
        connectionId,
        label,
        clientId,
        clientName,
        signedInAt,
        lastSeenAt,
        usedThisProjectAt: uses?.[projectId] ?? null,
      }))
      .sort((a, b) => seen(b) - seen(a));
  }

  override async lastUseOf(projectId: string): Promise<Date | null> {
    const times = this.all.flatMap((known) => known.uses?.[projectId]?.getTime() ?? []);
    return times.length === 0 ? null : new Date(Math.max(...times));
  }
}
