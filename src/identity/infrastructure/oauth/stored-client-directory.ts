import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { addressKey } from '#libs/kernel/address-key.js';
import { DomainError } from '#libs/kernel/errors.js';
import { RateLimiter } from '#libs/kernel/ports/rate-limiter.js';
import { Metrics } from '#libs/observability/metrics.js';
import { Database } from '#libs/persistence/database.js';
import { ClientDirectory } from '../../application/ports/client-directory.js';
import {
  type ClientDocument,
  ClientDocumentProblem,
  clientIdProblem,
  readClientDocument,
} from '../../domain/client-document.js';
import { BUILT_IN_NAMES, type ClientFacts, clientKindOf, isTrusted } from '../../domain/oauth-client.js';
import { type FetchedJson, FetchRefused, GuardedFetch } from './guarded-fetch.js';

const FRESH_SECONDS = { min: 300, max: 86_400 };
const FAILURE_SECONDS = 60;
const PER_ADDRESS = { max: 20, windowSeconds: 60 };
const PER_INSTANCE = { max: 120, windowSeconds: 60 };

interface Row {
  readonly document: ClientDocument | null;
  readonly fresh: boolean | null;
  readonly failure: string | null;
  readonly failing: boolean | null;
}

/** Built-in apps from code, and apps that identify themselves by the address of a document (`identity.md` 5.5). */
@Injectable()
export class StoredClientDirectory extends ClientDirectory {
  /** Fetches under way, so that parallel requests for one id share one. */
  private readonly fetches = new Map<string, Promise<ClientDocument>>();

  constructor(
    private readonly database: Database,
    private readonly guardedFetch: GuardedFetch,
    private readonly limiter: RateLimiter,
    private readonly configuration: Configuration,
    private readonly metrics: Metrics,
  ) {
    super();
  }

  override async fresh(clientId: string, ip: string | null): Promise<ClientFacts> {
    const builtIn = this.builtIn(clientId);
    if (builtIn) return builtIn;
    const problem = clientIdProblem(clientId);
    if (problem) throw refused(problem);
    const row = await this.rowOf(clientId);
    if (row?.document && row.fresh) return this.factsOf(row.document);
    if (row?.failing && row.failure) throw refused(row.failure);
    let fetching = this.fetches.get(clientId);
    if (!fetching) {
      fetching = this.fetch(clientId, ip).finally(() => this.fetches.delete(clientId));
      this.fetches.set(clientId, fetching);
    }
    return this.factsOf(await fetching);
  }

  override async known(clientId: string): Promise<ClientFacts | null> {
    const builtIn = this.builtIn(clientId);
    if (builtIn) return builtIn;
    const document = (await this.rowOf(clientId))?.document;
    return document ? this.factsOf(document) : null;
  }

  private async rowOf(clientId: string): Promise<Row | null> {
    return this.database.one<Row>(
      `SELECT document, fresh_until > now() AS fresh, failure, failed_until > now() AS failing
       FROM identity.oauth_client_documents WHERE client_id = $1`,
      [clientId],
    );
  }

  private async fetch(clientId: string, ip: string | null): Promise<ClientDocument> {
    await this.pass('identity.client_documents', addressKey(ip), PER_ADDRESS);
    await this.pass('identity.client_documents_all', 'instance', PER_INSTANCE);
    try {
      const fetched = await this.guardedFetch.json(clientId);
      const document = readClientDocument(clientId, fetched.document);
      await this.keep(document, freshSeconds(fetched, Date.now()));
      this.metrics.metadataFetches.inc({ outcome: 'read' });
      return document;
    } catch (error) {
      const sentence = sentenceOf(error);
      if (sentence === null) throw error;
      this.metrics.metadataFetches.inc({ outcome: 'refused' });
      await this.keepFailure(clientId, sentence);
      throw refused(sentence);
    }
  }

  private async keep(document: ClientDocument, seconds: number): Promise<void> {
    await this.database.query(
      `INSERT INTO identity.oauth_client_documents (client_id, document, fetched_at, fresh_until)
       VALUES ($1, $2, now(), now() + make_interval(secs => $3))
       ON CONFLICT (client_id) DO UPDATE SET document = EXCLUDED.document, fetched_at = EXCLUDED.fetched_at,
         fresh_until = EXCLUDED.fresh_until, failure = NULL, failed_until = NULL`,
      [document.clientId, JSON.stringify(document), seconds],
    );
  }

  /** The last good document stays: live connections go on with it. */
  private async keepFailure(clientId: string, sentence: string): Promise<void> {
    await this.database.query(
      `INSERT INTO identity.oauth_client_documents (client_id, failure, failed_until)
       VALUES ($1, $2, now() + make_interval(secs => $3))
       ON CONFLICT (client_id) DO UPDATE SET failure = EXCLUDED.failure, failed_until = EXCLUDED.failed_until`,
      [clientId, sentence, FAILURE_SECONDS],
    );
  }

  private async pass(
    name: string,
    key: string,
    limit: { max: number; windowSeconds: number },
  ): Promise<void> {
    const { allowed, retryAfterSeconds } = await this.limiter.hit(name, key, limit);
    if (allowed) return;
    this.metrics.rateLimited.inc({ limit: name });
    throw new DomainError(
      'rate-limited',
      'rate_limited',
      `Too many apps were looked up. Try again in ${retryAfterSeconds} seconds.`,
      { retryAfterSeconds },
    );
  }

  private builtIn(clientId: string): ClientFacts | null {
    const kind = clientKindOf(clientId);
    if (kind === 'url') return null;
    return {
      clientId,
      kind,
      name: BUILT_IN_NAMES[kind],
      host: null,
      uri: null,
      verified: true,
      redirectUris: kind === 'widget' ? [this.configuration.url('/oauth/widget/callback')] : [],
    };
  }

  private factsOf(document: ClientDocument): ClientFacts {
    return {
      clientId: document.clientId,
      kind: 'url',
      name: document.name,
      host: new URL(document.clientId).host,
      uri: document.uri,
      verified: isTrusted(document.clientId, this.configuration.values.oauthTrustedClientIds),
      redirectUris: document.redirectUris,
    };
  }
}

/** How long an answer may be used without asking again: `max-age`, else `Expires`, from 5 minutes to a day. */
export function freshSeconds(answer: Pick<FetchedJson, 'cacheControl' | 'expires'>, nowMs: number): number {
  const maxAge = /(?:^|[\s,])max-age=(\d+)/i.exec(answer.cacheControl ?? '')?.[1];
  const expires = Date.parse(answer.expires ?? '');
  const seconds = maxAge ? Number(maxAge) : Number.isNaN(expires) ? 0 : (expires - nowMs) / 1000;
  return Math.min(Math.max(Math.floor(seconds), FRESH_SECONDS.min), FRESH_SECONDS.max);
}

function sentenceOf(error: unknown): string | null {
  if (error instanceof FetchRefused) {
    return `The app's metadata document could not be read: ${error.message}.`;
  }
  if (error instanceof ClientDocumentProblem) {
    return `The app's metadata document cannot be used: it ${error.message}.`;
  }
  return null;
}

function refused(sentence: string): DomainError {
  return new DomainError('invalid', 'invalid_client', sentence);
}
