import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ConnectionDirectory } from '#src/identity/application/ports/connection-directory.js';

/** Whom a secret of the library acts for: a git token, the address of an upload. */
export interface SecretHolder {
  readonly personId: string;
  readonly projectId: string;
  /** The connection that asked for the secret; null when a person did on the web. */
  readonly connectionId: string | null;
}

/**
 * Turns the holder of a secret into the actor that the rights are asked for. Called at each use, so that a secret ends
 * with the connection that asked for it.
 */
@Injectable()
export class SecretHolders {
  constructor(private readonly connections: ConnectionDirectory) {}

  /** Null when the connection has ended. */
  async actorOf({ personId, projectId, connectionId }: SecretHolder): Promise<Actor | null> {
    if (connectionId === null) return { kind: 'person', personId, sessionId: '', isAdmin: false };
    const live = await this.connections.ofPerson(personId, projectId);
    if (!live.some((connection) => connection.connectionId === connectionId)) return null;
    return {
      kind: 'connection',
      connectionId,
      personId,
      clientId: '',
      scopes: ['mcp'],
      boundProjectId: projectId,
      projectId,
      agentSessionId: null,
      channel: 'api',
    };
  }
}
