import type { ConnectionActor, PersonActor } from '../actor.js';

/** A person signed in on the web, no admin. */
export function personActor(personId: string): PersonActor {
  return { kind: 'person', personId, sessionId: 'session', isAdmin: false };
}

/** An agent of a person, bound to a project. */
export function connectionActor(
  connectionId: string,
  personId: string,
  boundProjectId: string,
): ConnectionActor {
  return {
    kind: 'connection',
    connectionId,
    personId,
    clientId: 'https://agent.example/client',
    scopes: ['mcp'],
    boundProjectId,
    projectId: boundProjectId,
    agentSessionId: null,
    channel: 'mcp',
  };
}
