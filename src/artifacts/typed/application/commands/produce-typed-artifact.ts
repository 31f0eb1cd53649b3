import { Injectable } from '@nestjs/common';
import { type ConnectionActor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { conflict, DomainError } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { RateLimiter } from '#libs/kernel/ports/rate-limiter.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { ActorNames } from '#src/platform/application/ports/actor-names.js';
import { PAYLOAD_BYTES } from '../../domain/limits.js';
import type { TypedArtifactType, TypedPayload } from '../../domain/payload.js';
import { brokenRules } from '../../domain/payload-rules.js';
import {
  type GivenFacts,
  payloadRefusal,
  projectIsFull,
  type ReadFacts,
  type Rejected,
  readFacts,
  refusalOfArguments,
  requireRoom,
  turnOf,
} from '../../domain/typed-artifact.js';
import { PayloadCheck } from '../ports/payload-check.js';
import { TypedArtifacts } from '../ports/typed-artifacts.js';
import { TypedLinks } from '../ports/typed-links.js';
import { recordingRefusals } from '../refused-writes.js';

const HOUR = 3_600;

export interface ProduceTypedArtifactInput extends GivenFacts {
  readonly projectId: string;
  /** Key of the conversation; null when the client named none. */
  readonly conversation: string | null;
  readonly payload: unknown;
  /** The payload as it was written, compact; this is what is kept. */
  readonly payloadText: string;
}

export interface ProducedTypedArtifact {
  readonly success: true;
  readonly id: number;
  readonly type: TypedArtifactType;
  readonly title: string | null;
  readonly turnIndex: number;
  readonly createdAt: string;
  readonly url: string;
}

/**
 * Stores a chart or a table of a conversation under the next number of the project. Each call makes another one.
 * @throws DomainError `invalid` with every wrong argument, `no_conversation`, `limit`, or `rate-limited`.
 */
@Injectable()
export class ProduceTypedArtifact {
  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly artifacts: TypedArtifacts,
    private readonly payloads: PayloadCheck,
    private readonly links: TypedLinks,
    private readonly limiter: RateLimiter,
    private readonly flags: Flags,
    private readonly names: ActorNames,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly live: LiveUpdates,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async execute(actor: ConnectionActor, input: ProduceTypedArtifactInput): Promise<ProducedTypedArtifact> {
    const { projectId } = input;
    const entry = { operation: 'typed_artifact.created', subjectType: 'typed_artifact', projectId };
    return recordingRefusals(this.audit, actor, entry, () => this.produce(actor, input));
  }

  private async produce(
    actor: ConnectionActor,
    input: ProduceTypedArtifactInput,
  ): Promise<ProducedTypedArtifact> {
    await this.access.require(actor, input.projectId, 'contribute');
    const facts = this.checked(input);
    if (input.conversation === null) {
      throw conflict(
        'no_conversation',
        'This connection names no conversation. Connect through loupe mcp, or send a Loupe-Session-Id header.',
      );
    }
    await this.countTowardsTheHour(actor);
    const clientName = await this.names.connectionName(actor.connectionId);
    return this.store(actor, input, input.conversation, facts, clientName);
  }

  private checked(input: ProduceTypedArtifactInput): ReadFacts {
    const rejected: Rejected[] = [];
    const facts = readFacts(input, rejected);
    const bytes = Buffer.byteLength(input.payloadText);
    if (bytes > PAYLOAD_BYTES) {
      rejected.push({
        argument: 'payload',
        sentence: `payload has ${bytes} bytes; the limit is ${PAYLOAD_BYTES}. Send fewer points or rows.`,
      });
    } else if (facts) {
      const sentence = this.misfit(facts.type, input.payload);
      if (sentence) rejected.push({ argument: 'payload', sentence });
    }
    if (!facts || rejected.length > 0) throw refusalOfArguments(rejected);
    return facts;
  }

  private misfit(type: TypedArtifactType, payload: unknown): string | null {
    const ofShape = this.payloads.problemsOf(type, payload);
    const problems = ofShape.length > 0 ? ofShape : brokenRules({ type, payload } as TypedPayload);
    return problems.length > 0 ? payloadRefusal(type, problems, this.links.schema(type)) : null;
  }

  private async countTowardsTheHour(actor: ConnectionActor): Promise<void> {
    const max = this.flags.int('artifacts.typed_per_hour');
    const hit = await this.limiter.hit('artifacts.typed', actor.personId, { max, windowSeconds: HOUR });
    if (hit.allowed) return;
    const minutes = Math.max(1, Math.ceil(hit.retryAfterSeconds / 60));
    throw new DomainError(
      'rate-limited',
      'rate_limited',
      `You stored ${max} typed artifacts in the last hour; the limit is ${max}. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
      { retryAfterSeconds: hit.retryAfterSeconds },
    );
  }

  private async store(
    actor: ConnectionActor,
    { projectId, payloadText }: ProduceTypedArtifactInput,
    sessionKey: string,
    facts: ReadFacts,
    clientName: string | null,
  ): Promise<ProducedTypedArtifact> {
    return this.unitOfWork.run(async () => {
      const createdAt = this.clock.now();
      const { personId } = actor;
      const thread = await this.artifacts.lockThread({
        id: this.ids.next(),
        projectId,
        personId,
        sessionKey,
        clientName,
        at: createdAt,
      });
      requireRoom(thread);
      const { type, title, description } = facts;
      const turnIndex = turnOf(thread, facts.turnIndex);
      const id = await this.artifacts.add({
        projectId,
        threadId: thread.id,
        type,
        title,
        description,
        turnIndex,
        payload: payloadText,
        createdAt,
        createdBy: personId,
      });
      if (id === null) throw projectIsFull();
      await this.outbox.publish(actor, {
        type: 'TypedArtifactProduced',
        aggregateId: thread.id,
        projectId,
        payload: { id, threadId: thread.id, type },
      });
      await this.audit.record(actor, {
        operation: 'typed_artifact.created',
        subjectType: 'typed_artifact',
        subjectId: String(id),
        projectId,
        context: { type, turnIndex },
      });
      await this.live.publish(`project:${projectId}:artifacts`, { type: 'typed', subjectId: String(id) });
      return {
        success: true,
        id,
        type,
        title,
        turnIndex,
        createdAt: createdAt.toISOString(),
        url: this.links.chart(projectId, id),
      };
    });
  }
}
