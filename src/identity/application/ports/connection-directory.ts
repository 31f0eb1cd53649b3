export interface ConnectedMachine {
  readonly connectionId: string;
  readonly label: string | null;
  readonly clientId: string;
  readonly clientName: string;
  readonly signedInAt: Date;
  readonly lastSeenAt: Date | null;
  /** Last use of the project that was asked about; null when it never was used. */
  readonly usedThisProjectAt: Date | null;
}

/** Live connections, for other contexts. */
export abstract class ConnectionDirectory {
  /** Connections of a person that may act on the project, last seen first. */
  abstract ofPerson(personId: string, projectId: string): Promise<ConnectedMachine[]>;
  /** When any connection last acted on the project; null when none ever did. */
  abstract lastUseOf(projectId: string): Promise<Date | null>;
}
