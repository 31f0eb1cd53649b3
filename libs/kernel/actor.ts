/** What a connection may do; see the glossary and `identity.md` 5.3. */
export type Scope = 'mcp' | 'agent' | 'site-review' | 'projects';

/** The door through which a request came. */
export type Channel = 'web' | 'mcp' | 'api' | 'widget' | 'oauth' | 'console' | 'system';

/** A signed-in person in the browser. */
export interface PersonActor {
  readonly kind: 'person';
  readonly personId: string;
  /** Id of the web session (a hash, never the cookie value). */
  readonly sessionId: string;
  readonly isAdmin: boolean;
}

/** An app that acts for a person by OAuth. */
export interface ConnectionActor {
  readonly kind: 'connection';
  readonly connectionId: string;
  readonly personId: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  /** The project that this connection is bound to; null when it covers all projects of the person. */
  readonly boundProjectId: string | null;
  /** The project that this request is about, resolved at the door; null when none was named. */
  readonly projectId: string | null;
  readonly agentSessionId: string | null;
  readonly channel: 'mcp' | 'api' | 'widget';
}

/** Somebody at the console of the server. */
export interface ConsoleActor {
  readonly kind: 'console';
  readonly osUser: string;
}

/** Loupe itself: a job, a listener, the start of the server. */
export interface SystemActor {
  readonly kind: 'system';
  readonly jobName: string;
}

/** Who does something. Every command and query takes one. */
export type Actor = PersonActor | ConnectionActor | ConsoleActor | SystemActor;

/** The person behind an actor, or null for console and system. */
export function personIdOf(actor: Actor): string | null {
  return actor.kind === 'person' || actor.kind === 'connection' ? actor.personId : null;
}

/** The channel that audit records name for this actor. */
export function channelOf(actor: Actor): Channel {
  switch (actor.kind) {
    case 'person':
      return 'web';
    case 'connection':
      return actor.channel;
    case 'console':
      return 'console';
    case 'system':
      return 'system';
  }
}

/** Documents, comments and audit rows are signed by an agent or a person, nothing else. */
export function authorKindOf(actor: Actor): 'agent' | 'person' {
  return actor.kind === 'person' ? 'person' : 'agent';
}
