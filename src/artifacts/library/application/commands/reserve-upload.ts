import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { notFound, Problems } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { RateLimiter } from '#libs/kernel/ports/rate-limiter.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { countHourly } from '../hourly-limit.js';
import { type UploadPurpose, Uploads } from '../ports/uploads.js';
import { RefusalRecords } from '../refusal-records.js';
import { uploadExpiry } from '../upload-life.js';
import { WorkerDoor } from '../worker-door.js';

export interface ReserveUploadInput {
  readonly projectId: string;
  /** Default `source`. */
  readonly purpose?: string | null;
}

export interface ReservedUpload {
  readonly zipUploadId: string;
  /** Holds the secret: whoever knows it may upload. */
  readonly uploadUrl: string;
  readonly uploadUrlExpiresAt: Date;
  readonly purpose: UploadPurpose;
  readonly maxBytes: number;
  readonly nextSteps: readonly string[];
}

/** A secret address for one upload. @throws InvalidInput; DomainError `rate-limited`. */
@Injectable()
export class ReserveUpload {
  constructor(
    private readonly configuration: Configuration,
    private readonly flags: Flags,
    private readonly access: ProjectAccess,
    private readonly workers: WorkerDoor,
    private readonly limits: RateLimiter,
    private readonly uploads: Uploads,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
    private readonly refusals: RefusalRecords,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  execute(actor: Actor, input: ReserveUploadInput): Promise<ReservedUpload> {
    const attempt = { operation: 'artifact.upload_reserved', projectId: input.projectId };
    return this.refusals.around(actor, attempt, () => this.run(actor, input));
  }

  private async run(actor: Actor, input: ReserveUploadInput): Promise<ReservedUpload> {
    const { projectId } = input;
    await this.access.require(actor, projectId, 'contribute');
    await this.workers.refuseWorkers(actor);
    const purpose = readPurpose(input.purpose);
    const personId = personIdOf(actor);
    if (personId === null) throw notFound('Project');
    await countHourly(this.limits, this.flags, 'artifacts.uploads_per_hour', personId, 'uploads');
    const now = this.clock.now();
    const upload = {
      id: this.ids.next(),
      projectId,
      personId,
      connectionId: actor.kind === 'connection' ? actor.connectionId : null,
      purpose,
      expiresAt: uploadExpiry(now),
    };
    const secret = await this.unitOfWork.run(async () => {
      const reserved = await this.uploads.reserve(upload, now);
      await this.audit.record(actor, {
        operation: 'artifact.upload_reserved',
        subjectType: 'artifact_upload',
        subjectId: upload.id,
        projectId,
        context: { purpose },
      });
      return reserved;
    });
    return {
      zipUploadId: upload.id,
      uploadUrl: this.configuration.url(`/artifact-uploads/${upload.id}/${secret}`),
      uploadUrlExpiresAt: upload.expiresAt,
      purpose,
      maxBytes: this.flags.int('artifacts.zip_max_bytes'),
      nextSteps: nextSteps(upload.id, purpose),
    };
  }
}

function readPurpose(given: string | null | undefined): UploadPurpose {
  const purpose = given ?? 'source';
  if (purpose === 'source' || purpose === 'asset') return purpose;
  const problems = new Problems();
  problems.add('purpose', 'purpose must be source or asset.');
  problems.throwIfAny();
  return 'source';
}

function nextSteps(id: string, purpose: UploadPurpose): string[] {
  const what = purpose === 'asset' ? 'the image or video, or a zip with it alone' : 'a zip of the files';
  const type = purpose === 'asset' ? 'asset' : 'app or markdown';
  return [
    `Send ${what}: curl -T <file> -H "Content-Type: application/zip" "<uploadUrl>". The address is secret and needs no other credential.`,
    `Then call artifact_create with { type: "import", artifactType: "${type}", zipUploadId: "${id}" }.`,
  ];
}
