import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { conflict, DomainError } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import type { Framework } from '../../domain/artifact-types.js';
import { detectFramework } from '../../domain/imported-files.js';
import { ArtifactNews } from '../artifact-news.js';
import { makerOf } from '../makers.js';
import { OpenPushes } from '../open-pushes.js';
import { ArtifactAddresses } from '../ports/artifact-addresses.js';
import { ArtifactBlobs } from '../ports/artifact-blobs.js';
import { ArtifactDirectory } from '../ports/artifact-directory.js';
import { CardLinks } from '../ports/card-links.js';
import { type Push, Pushes, type PushResult } from '../ports/pushes.js';
import { Shelves } from '../ports/shelves.js';
import {
  type CandidateFile,
  type StoredVersion,
  VersionStore,
  type VersionToStore,
} from '../ports/version-store.js';
import { RefusalRecords } from '../refusal-records.js';

const MANIFEST_BYTES = 1024 * 1024;

/** Thrown inside the transaction when another commit of the same push was first. */
class CommittedAlready extends Error {}

/**
 * The last step of a push: its files become a version. A repeat, also one at the same time, gets the same answer.
 * @throws DomainError `not-found`, `conflict` `expired`, `missing`, `archived`, `limit` or `busy`; `invalid`.
 */
@Injectable()
export class CommitPush {
  constructor(
    private readonly open: OpenPushes,
    private readonly pushes: Pushes,
    private readonly shelves: Shelves,
    private readonly blobs: ArtifactBlobs,
    private readonly directory: ArtifactDirectory,
    private readonly versions: VersionStore,
    private readonly links: CardLinks,
    private readonly news: ArtifactNews,
    private readonly addresses: ArtifactAddresses,
    private readonly unitOfWork: UnitOfWork,
    private readonly refusals: RefusalRecords,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, input: { readonly pushId: string }): Promise<PushResult> {
    const push = await this.open.require(actor, input.pushId);
    if (push.result) return push.result;
    const { target } = push.request;
    const attempt = {
      operation: 'artifact.version_stored',
      projectId: push.projectId,
      artifactId: 'artifactId' in target ? target.artifactId : undefined,
    };
    return this.refusals.around(actor, attempt, () => this.run(actor, push));
  }

  private async run(actor: Actor, push: Push): Promise<PushResult> {
    const files = await this.filesOf(push);
    const target = await this.targetOf(actor, push, files);
    let result: PushResult | null = null;
    try {
      const stored = await this.versions.store({
        target,
        files,
        skipped: push.request.skipped,
        notes: push.request.notes,
        source: 'push',
        staged: push.id,
        maker: makerOf(actor),
        actor,
        inTransaction: async (version) => {
          result = await this.finish(actor, push, version);
        },
      });
      // Nothing was stored when the files are those of the latest version, but links and result are.
      return result ?? (await this.unitOfWork.run(() => this.finish(actor, push, stored)));
    } catch (error) {
      if (!(error instanceof CommittedAlready)) throw error;
      const first = await this.pushes.find(push.id);
      if (first?.result) return first.result;
      throw conflict('busy', 'The push is being committed. Try again in a few seconds.');
    }
  }

  /** @throws DomainError `conflict` `missing` with the hashes whose bytes did not come. */
  private async filesOf(push: Push): Promise<CandidateFile[]> {
    const hashes = [...new Set(push.request.files.map(({ sha256 }) => sha256))];
    const [brought, held, known] = await Promise.all([
      this.pushes.blobsOf(push.id),
      this.shelves.held(push.projectId, hashes),
      this.blobs.describe(hashes),
    ]);
    const missing = hashes.filter((hash) => !known.has(hash) || !(brought.has(hash) || held.has(hash)));
    if (missing.length > 0) {
      throw new DomainError(
        'invalid',
        'missing',
        `${missing.length} of the files were not sent. Send their bytes, then commit again.`,
        { argument: 'files', facts: { missing } },
      );
    }
    return push.request.files.map(({ path, sha256 }) => ({ path, blob: known.get(sha256)! }));
  }

  private async targetOf(
    actor: Actor,
    { projectId, request }: Push,
    files: readonly CandidateFile[],
  ): Promise<VersionToStore['target']> {
    const { target, entryPath } = request;
    if ('artifactId' in target) {
      // The right may have gone since the push began.
      await this.directory.require(actor, target.artifactId, 'write', projectId);
      return { artifactId: target.artifactId };
    }
    return {
      create: {
        ...target,
        // A fresh id each time: a commit that loses against another one takes its own repository away again.
        artifactId: this.ids.next(),
        projectId,
        description: '',
        framework: target.artifactType === 'app' ? await this.frameworkOf(files) : null,
        origin: 'push',
        entryWish: entryPath,
      },
    };
  }

  private async frameworkOf(files: readonly CandidateFile[]): Promise<Framework> {
    const blob = files.find(({ path }) => path === 'package.json')?.blob;
    if (blob?.kind !== 'text' || blob.bytes > MANIFEST_BYTES) return 'html';
    const text = (await this.blobs.read(blob.sha256, MANIFEST_BYTES)).toString('utf8');
    return detectFramework(text).framework;
  }

  private async finish(actor: Actor, push: Push, stored: StoredVersion): Promise<PushResult> {
    const { artifactId, version, revision, unchanged, skippedFiles } = stored;
    const result: PushResult = {
      artifactId,
      version,
      revision,
      unchanged,
      url: this.addresses.page(push.projectId, artifactId),
      previewUrl: this.addresses.preview(artifactId),
      skippedFiles,
    };
    if (!(await this.pushes.finish(push.id, result))) throw new CommittedAlready();
    await this.link(actor, push, artifactId);
    return result;
  }

  private async link(actor: Actor, { projectId, request }: Push, artifactId: string): Promise<void> {
    if (request.cardIds.length === 0) return;
    const added = await this.links.add(
      projectId,
      artifactId,
      request.cardIds,
      personIdOf(actor),
      this.clock.now(),
    );
    if (added.length === 0) return;
    await this.news.tell(
      actor,
      { id: artifactId, projectId },
      {
        events: [{ type: 'ArtifactCardsChanged', payload: { added, removed: [], by: personIdOf(actor) } }],
        audit: [{ operation: 'artifact.cards_changed', context: { added: added.length, removed: 0 } }],
        live: ['cards'],
      },
    );
  }
}
