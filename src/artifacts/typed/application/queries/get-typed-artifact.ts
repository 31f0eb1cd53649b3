import { Injectable } from '@nestjs/common';
import type { ConnectionActor } from '#libs/kernel/actor.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';
import type { TypedArtifactType } from '../../domain/payload.js';
import { TypedLinks } from '../ports/typed-links.js';
import type { OfConversation } from './list-typed-artifacts.js';

export interface GetTypedArtifactInput extends OfConversation {
  /** Counts from 1; any other number names nothing. */
  readonly id: number;
}

export interface FoundTypedArtifact {
  readonly id: number;
  readonly type: TypedArtifactType;
  readonly title: string | null;
  readonly description: string | null;
  readonly turnIndex: number;
  /** JSON as it was sent. */
  readonly payloadText: string;
  readonly createdAt: string;
  readonly url: string;
}

interface Row {
  readonly type: TypedArtifactType;
  readonly title: string | null;
  readonly description: string | null;
  readonly turn_index: number;
  readonly payload: string;
  readonly created_at: Date;
}

/**
 * One of the caller's own conversation; null for an unknown number and for one of another conversation, person or
 * project, which nobody can tell apart.
 */
@Injectable()
export class GetTypedArtifact {
  constructor(
    private readonly access: ProjectAccess,
    private readonly database: Database,
    private readonly links: TypedLinks,
  ) {}

  async execute(actor: ConnectionActor, input: GetTypedArtifactInput): Promise<FoundTypedArtifact | null> {
    const { projectId, conversation, id } = input;
    await this.access.require(actor, projectId, 'read');
    if (conversation === null || !Number.isSafeInteger(id)) return null;
    const row = await this.database.one<Row>(
      `SELECT a.type, a.title, a.description, a.turn_index, a.payload::text AS payload, a.created_at
         FROM artifacts.typed_artifact a JOIN artifacts.typed_thread t ON t.id = a.thread_id
        WHERE a.project_id = $1 AND a.id = $2
          AND t.project_id = $1 AND t.person_id = $3 AND t.session_key = $4`,
      [projectId, id, actor.personId, conversation],
    );
    return (
      row && {
        id,
        type: row.type,
        title: row.title,
        description: row.description,
        turnIndex: row.turn_index,
        payloadText: row.payload,
        createdAt: row.created_at.toISOString(),
        url: this.links.chart(projectId, id),
      }
    );
  }
}
