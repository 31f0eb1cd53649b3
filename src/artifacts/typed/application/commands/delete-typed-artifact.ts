import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { notFound } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { TypedArtifacts } from '../ports/typed-artifacts.js';
import { recordingRefusals } from '../refused-writes.js';

export interface DeleteTypedArtifactInput {
  readonly projectId: string;
  readonly id: number;
}

/** Takes one away for good; its number is not given again. @throws DomainError `not-found`. */
@Injectable()
export class DeleteTypedArtifact {
  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly artifacts: TypedArtifacts,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly live: LiveUpdates,
  ) {}

  async execute(actor: Actor, input: DeleteTypedArtifactInput): Promise<void> {
    const { projectId, id } = input;
    const about = { subjectType: 'typed_artifact', subjectId: String(id), projectId };
    const entry = { operation: 'typed_artifact.deleted', ...about };
    await recordingRefusals(this.audit, actor, entry, () => this.remove(actor, input));
  }

  private async remove(actor: Actor, { projectId, id }: DeleteTypedArtifactInput): Promise<void> {
    await this.access.require(actor, projectId, 'contribute');
    await this.unitOfWork.run(async () => {
      const removed = await this.artifacts.remove(projectId, id);
      if (!removed) throw notFound('Chart');
      const { threadId, type } = removed;
      await this.outbox.publish(actor, {
        type: 'TypedArtifactDeleted',
        aggregateId: threadId,
        projectId,
        payload: { id, threadId, type },
      });
      await this.audit.record(actor, {
        operation: 'typed_artifact.deleted',
        subjectType: 'typed_artifact',
        subjectId: String(id),
        projectId,
        context: { type },
      });
      await this.live.publish(`project:${projectId}:artifacts`, { type: 'typed', subjectId: String(id) });
    });
  }
}
