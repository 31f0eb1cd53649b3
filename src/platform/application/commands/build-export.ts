import { createHash, randomBytes } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { SystemActor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { Ids } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { BlobStore, type StoredBlob } from '#libs/kernel/ports/blob-store.js';
import { Mailer } from '#libs/kernel/ports/mailer.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { EXPORT_ATTEMPTS } from '../export-job.js';
import { DataExports } from '../ports/data-exports.js';
import { ExportAddresses } from '../ports/export-addresses.js';
import { ExportArchive } from '../ports/export-archive.js';
import { ExportContributors } from '../ports/export-contributors.js';

const GOOD_FOR_MS = 48 * 3_600_000;
const KEEP_MS = 60_000;

/** One run of the job of an export. A run whose worker died is followed by another, which begins anew. */
@Injectable()
export class BuildExport {
  private readonly logger = new Logger('exports');

  constructor(
    private readonly exports: DataExports,
    private readonly contributors: ExportContributors,
    private readonly archive: ExportArchive,
    private readonly blobs: BlobStore,
    private readonly secrets: SecretBox,
    private readonly mailer: Mailer,
    private readonly addresses: ExportAddresses,
    private readonly audit: Audit,
    private readonly ids: Ids,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** `attempt` counts from 1; the last one ends in `failed`. @returns when to try again, where another run holds it */
  async execute(
    actor: SystemActor,
    { exportId, attempt }: { readonly exportId: string; readonly attempt: number },
  ): Promise<{ readonly again: Date } | undefined> {
    const holder = this.ids.next();
    const claim = await this.exports.claim(exportId, holder);
    if (claim.kind === 'held') return { again: claim.until };
    if (claim.kind === 'over') return undefined;
    const { personId } = claim;
    const key = `exports/${exportId}/${holder}`;
    const lost = new AbortController();
    const keeping = setInterval(() => {
      this.exports.keep(exportId, holder).then(
        (ours) => !ours && lost.abort(),
        (error: unknown) => this.logger.warn({ msg: 'The lease of an export was not renewed', err: error }),
      );
    }, KEEP_MS);
    try {
      const subject = await this.contributors.subjectOf(personId);
      const stored = await this.archive.write(key, subject, this.contributors.all, lost.signal);
      await this.finish(exportId, holder, personId, key, stored);
    } catch (error) {
      await this.blobs.delete(key).catch(() => undefined);
      if (lost.signal.aborted) return undefined;
      if (attempt < EXPORT_ATTEMPTS) {
        await this.exports.release(exportId, holder);
        throw error;
      }
      this.logger.error({ msg: 'An export failed for good', exportId, err: error });
      await this.fail(actor, exportId, holder, personId);
    } finally {
      clearInterval(keeping);
    }
    return undefined;
  }

  private async finish(
    exportId: string,
    holder: string,
    personId: string,
    blobKey: string,
    { bytes }: StoredBlob,
  ): Promise<void> {
    const token = randomBytes(32).toString('base64url');
    const finished = await this.unitOfWork.run(async () => {
      const ours = await this.exports.finish(exportId, holder, {
        bytes,
        blobKey,
        tokenHash: createHash('sha256').update(token).digest('hex'),
        tokenSealed: this.secrets.seal(token),
        expiresAt: new Date(this.clock.now().getTime() + GOOD_FOR_MS),
      });
      if (ours) {
        await this.tell(exportId, personId, 'ready', 'Your data is ready', [
          'The export of your data that you asked for is ready. It can be downloaded for 48 hours.',
        ]);
      }
      return ours;
    });
    if (!finished) await this.blobs.delete(blobKey);
  }

  private async fail(actor: SystemActor, exportId: string, holder: string, personId: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      if (!(await this.exports.fail(exportId, holder))) return;
      await this.audit.record(actor, {
        operation: 'export.failed',
        outcome: 'failed',
        subjectType: 'export',
        subjectId: exportId,
      });
      await this.tell(exportId, personId, 'failed', 'Your data could not be exported', [
        'The export of your data that you asked for could not be made. Ask again on the page of your account.',
      ]);
    });
  }

  private async tell(
    exportId: string,
    personId: string,
    what: string,
    subject: string,
    paragraphs: readonly string[],
  ): Promise<void> {
    const to = this.mailer.isOn ? await this.contributors.addressOf(personId) : null;
    if (to === null) return;
    await this.mailer.send({
      key: `export-${exportId}-${what}`,
      to,
      subject,
      paragraphs,
      action: { label: 'Open my data', url: this.addresses.page() },
      footnote: 'You get this mail because an export was asked for in your account.',
    });
  }
}
