import { type Adapter, type AdapterPayload, errors, Provider } from 'oidc-provider';
import type { Actor } from '#libs/kernel/actor.js';
import type { Audit } from '#libs/kernel/ports/audit.js';
import type { RevokeConnections } from '../../application/commands/revoke-connections.js';
import type { RevokeReason } from '../../domain/connection.js';
import type { ArtefactStore, StoredArtefact } from './artefact-store.js';
import type { GrantReader } from './grant-reader.js';
import type { ProviderClients } from './provider-clients.js';

/** Further uses of one spent refresh token inside the grace window. */
const GRACE_USES = 10;

export interface AdapterParts {
  readonly store: ArtefactStore;
  readonly grants: GrantReader;
  readonly clients: ProviderClients;
  readonly revoke: RevokeConnections;
  readonly audit: Audit;
  readonly graceSeconds: number;
  readonly issuer: string;
}

const SERVER: Actor = { kind: 'system', jobName: 'authorization-server' };

/** Name of the endpoint that is being served, as the library calls it. */
function currentRoute(): string | undefined {
  return Provider.ctx?.oidc?.route;
}

/** The storage of the library, one object for each of its models. */
export function adapterFor(parts: AdapterParts): (model: string) => Adapter {
  return (model) => {
    switch (model) {
      case 'Session':
        return new NoSessions();
      case 'Client':
        return new Clients(parts);
      case 'Grant':
        return new Grants(parts);
      case 'AuthorizationCode':
        return new AuthorizationCodes(model, parts);
      case 'RefreshToken':
        return new RefreshTokens(model, parts);
      case 'DeviceCode':
        return new DeviceCodes(model, parts);
      case 'Interaction':
        return new Interactions(model, parts);
      default:
        return new Artefacts(model, parts);
    }
  };
}

/** Keeps nothing. Each model overrides what it has. */
abstract class Storage implements Adapter {
  constructor(protected readonly parts: AdapterParts) {}

  async upsert(_id: string, _payload: AdapterPayload, _expiresIn?: number): Promise<void> {}
  async find(_id: string): Promise<AdapterPayload | undefined> {
    return undefined;
  }
  async findByUserCode(_userCode: string): Promise<AdapterPayload | undefined> {
    return undefined;
  }
  async findByUid(_uid: string): Promise<AdapterPayload | undefined> {
    return undefined;
  }
  async consume(_id: string): Promise<void> {}
  async destroy(_id: string): Promise<void> {}
  async revokeByGrantId(_grantId: string): Promise<void> {}

  protected revoke(connectionId: string, reason: RevokeReason): Promise<number> {
    return this.parts.revoke.execute(SERVER, { selection: { id: connectionId }, reason });
  }
}

/** Who is signed in is known by Loupe's own session, so the library's is new at each request and never kept. */
class NoSessions extends Storage {
  constructor() {
    super(undefined as never);
  }
}

class Clients extends Storage {
  override find(clientId: string): Promise<AdapterPayload | undefined> {
    const route = currentRoute();
    const begins = route === 'authorization' || route === 'device_authorization';
    return this.parts.clients.metadataOf(clientId, { begins, fresh: route === 'authorization' });
  }
}

/** A grant is the connection itself: what ended there is unknown here. */
class Grants extends Storage {
  override find(id: string): Promise<AdapterPayload | undefined> {
    return this.parts.grants.find(id);
  }

  /** The library ends a grant at the revocation endpoint and when a code comes a second time. */
  override async destroy(id: string): Promise<void> {
    await this.revoke(id, currentRoute() === 'revocation' ? 'client' : 'code-reuse');
  }
}

class Artefacts extends Storage {
  constructor(
    protected readonly model: string,
    parts: AdapterParts,
  ) {
    super(parts);
  }

  override upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    if (expiresIn === undefined) throw new Error(`A ${this.model} without a life was to be stored.`);
    return this.parts.store.save(this.model, id, payload as Record<string, unknown>, expiresIn);
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await this.parts.store.find(this.model, id);
    return found ? payloadOf(id, found) : undefined;
  }

  override destroy(id: string): Promise<void> {
    return this.parts.store.delete(this.model, id);
  }
}

/** Codes that are exchanged once. A second use means that somebody else has the code, so its connection ends. */
class SingleUseCodes extends Artefacts {
  override async consume(id: string): Promise<void> {
    const { store } = this.parts;
    if (await store.consume(this.model, id)) return;
    const found = await store.find(this.model, id);
    if (found?.grantId) await this.revoke(found.grantId, 'code-reuse');
    throw new errors.InvalidGrant('code already consumed');
  }

  /** Codes go with their connection; see `Grants.destroy`. */
  override async revokeByGrantId(): Promise<void> {}
}

class AuthorizationCodes extends SingleUseCodes {
  override async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await this.parts.store.find(this.model, id);
    if (!found) return undefined;
    // A used code must be told from an old one also after its minute, so that its second use is noticed.
    return payloadOf(id, found.consumed ? { ...found, expired: false } : found);
  }
}

class RefreshTokens extends Artefacts {
  override async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await this.parts.store.find(this.model, id);
    // Whether a spent token still goes through is decided when it is spent again, by one statement.
    return found ? payloadOf(id, { ...found, consumed: false }) : undefined;
  }

  override async consume(id: string): Promise<void> {
    const { store, audit, graceSeconds } = this.parts;
    const use = await store.spend(id, graceSeconds, GRACE_USES);
    if (use === 0) return;
    const connectionId = (await store.find(this.model, id))?.grantId;
    const record = (outcome: 'success' | 'refused', context: Record<string, unknown>) =>
      audit.record(SERVER, {
        operation: 'connection.refresh_reuse',
        outcome,
        subjectType: 'connection',
        subjectId: connectionId ?? undefined,
        channel: 'oauth',
        context,
      });
    if (use !== null) {
      await record('success', { use });
      return;
    }
    if (connectionId) {
      await record('refused', { graceSeconds });
      await this.revoke(connectionId, 'refresh-reuse');
    }
    throw new errors.InvalidGrant('refresh token already used');
  }
}

class DeviceCodes extends SingleUseCodes {
  override async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await this.parts.store.find(this.model, id);
    if (!found) return undefined;
    const waiting = !found.answered && !found.expired;
    if (waiting && currentRoute() === 'token' && !(await this.parts.store.poll(id))) {
      throw new errors.SlowDown();
    }
    return payloadOf(id, found);
  }
}

class Interactions extends Artefacts {
  override async find(uid: string): Promise<AdapterPayload | undefined> {
    const found = await this.parts.store.find(this.model, uid);
    if (!found || found.expired || found.consumed) return undefined;
    const { issuer } = this.parts;
    return { ...payloadOf(uid, found), returnTo: `${issuer}/oauth/authorize/${encodeURIComponent(uid)}` };
  }

  /** The row stays until it expires, so that a second answer is told that there was a first. */
  override async destroy(uid: string): Promise<void> {
    await this.parts.store.consume(this.model, uid);
  }
}

/** The payload as the library wrote it. Life and use are told by the database, whose clock decides. */
function payloadOf(id: string, found: StoredArtefact): AdapterPayload {
  const now = Math.floor(Date.now() / 1000);
  const exp = Number(found.payload.exp);
  return {
    ...found.payload,
    jti: id,
    exp: found.expired ? Math.min(exp, now - 1) : Math.max(exp, now + 1),
    ...(found.consumed ? { consumed: now } : {}),
  };
}
