import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { DomainError, forbidden } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { artifactNotFound } from '../../domain/refusals.js';
import { makerOf } from '../makers.js';
import { ArtifactDirectory, type ArtifactFacts } from '../ports/artifact-directory.js';
import { GitRepositories } from '../ports/git-repositories.js';
import { type GitToken, GitTokens } from '../ports/git-tokens.js';
import { type GitResponse, type GitService, GitTransport } from '../ports/git-transport.js';
import { RepositoryReconciler } from '../ports/repository-reconciler.js';
import { WriteLeases } from '../ports/write-leases.js';
import { SecretHolders } from '../secret-holders.js';
import { ReceiveGitPush } from './receive-git-push.js';

const USER = 'x-token';

/** A request as it came over HTTP. */
export interface GitHttpInput {
  readonly artifactId: string;
  /** As sent; anything but the two services is not found. */
  readonly service: string;
  readonly advertise: boolean;
  /** The header `Authorization`. */
  readonly authorization: string | null;
  readonly contentType: string | null;
  readonly contentEncoding: string | null;
  readonly protocol: string | null;
  readonly body: Readable | null;
}

/**
 * One request of a git client, with the right that its token has (`artifacts.md` 7.6). Who the token is of is looked at
 * anew each time, so whoever loses the project loses git with it.
 * @throws DomainError `unauthenticated`, `forbidden` with a sentence that git shows, `not-found`, `unavailable`.
 */
@Injectable()
export class ServeGit {
  constructor(
    private readonly flags: Flags,
    private readonly tokens: GitTokens,
    private readonly holders: SecretHolders,
    private readonly directory: ArtifactDirectory,
    private readonly repositories: GitRepositories,
    private readonly leases: WriteLeases,
    private readonly reconciler: RepositoryReconciler,
    private readonly transport: GitTransport,
    private readonly receivePush: ReceiveGitPush,
    private readonly clock: Clock,
  ) {}

  async execute(input: GitHttpInput): Promise<GitResponse> {
    const service = serviceNamed(input.service);
    if (!this.flags.isOn('artifacts.enabled') || !this.flags.isOn('artifacts.git.enabled')) throw noRoute();
    if (service === null || !isUuid(input.artifactId)) throw noRoute();
    const token = await this.tokenOf(input.authorization);
    if (token.artifactId !== input.artifactId.toLowerCase()) throw artifactNotFound();
    if (token.revokedAt !== null || token.expiresAt <= this.clock.now()) throw expired();
    if (service === 'git-receive-pack' && token.access !== 'rw')
      throw forbidden('This git token is read-only.', 'read_only');
    const actor = await this.holders.actorOf(token);
    if (actor === null) throw expired();
    const artifact = await this.artifactOf(actor, token);
    if (artifact.artifactType === 'asset') throw artifactNotFound();
    await this.tokens.touch(token.id, this.clock.now());
    await this.repair(artifact);
    const request = {
      artifactId: artifact.artifactId,
      service,
      advertise: input.advertise,
      tokenId: token.id,
      contentType: input.contentType,
      contentEncoding: input.contentEncoding,
      protocol: input.protocol,
      body: input.body,
    };
    if (service === 'git-upload-pack' || input.advertise) return this.transport.serve(request);
    const push = this.receivePush.execute({
      artifactId: artifact.artifactId,
      projectId: artifact.projectId,
      actor,
      maker: makerOf(actor),
    });
    try {
      const response = await this.transport.serve(request, push);
      response.body.once('close', () => push.end());
      return response;
    } catch (error) {
      push.end();
      throw error;
    }
  }

  private async tokenOf(authorization: string | null): Promise<GitToken> {
    const secret = secretOf(authorization);
    const token = secret === null ? null : await this.tokens.bySecret(secret);
    if (token) return token;
    throw new DomainError(
      'unauthenticated',
      'unauthenticated',
      'This address needs a git token. Mint one with artifact_get_git_token.',
    );
  }

  private async artifactOf(actor: Actor, token: GitToken): Promise<ArtifactFacts> {
    const wanted = token.access === 'rw' ? 'write' : 'read';
    try {
      return await this.directory.require(actor, token.artifactId, wanted, token.projectId);
    } catch (error) {
      const ended =
        error instanceof DomainError && (error.kind === 'not-found' || error.kind === 'forbidden');
      throw ended ? expired() : error;
    }
  }

  /** What a killed process left half done is brought to its end before anybody sees it. */
  private async repair({ artifactId, headRevision }: ArtifactFacts): Promise<void> {
    if ((await this.repositories.head(artifactId)) === headRevision) return;
    await this.leases.hold(artifactId, (lease) => this.reconciler.reconcile(artifactId, lease));
  }
}

function serviceNamed(name: string): GitService | null {
  return name === 'git-upload-pack' || name === 'git-receive-pack' ? name : null;
}

function secretOf(authorization: string | null): string | null {
  const basic = /^basic ([a-z0-9+/=]+)$/i.exec(authorization ?? '')?.[1];
  if (basic === undefined) return null;
  const pair = Buffer.from(basic, 'base64').toString();
  return pair.startsWith(`${USER}:`) ? pair.slice(USER.length + 1) : null;
}

function expired(): DomainError {
  return forbidden('This git token has expired. Mint a new one with artifact_get_git_token.', 'expired');
}

function noRoute(): DomainError {
  return new DomainError('not-found', 'not_found', 'Not found.');
}
