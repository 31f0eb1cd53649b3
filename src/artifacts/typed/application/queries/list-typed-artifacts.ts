import { Injectable } from '@nestjs/common';
import type { ConnectionActor } from '#libs/kernel/actor.js';
import { clampPage } from '#libs/kernel/page.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';
import { NEWEST_MAX } from '../../domain/limits.js';
import { isTypedArtifactType, type TypedArtifactType } from '../../domain/payload.js';
import { refusalOfArguments, TYPE_SENTENCE } from '../../domain/typed-artifact.js';
import { TypedLinks } from '../ports/typed-links.js';

export interface OfConversation {
  readonly projectId: string;
  /** Key of the conversation; null when the client named none: it holds nothing. */
  readonly conversation: string | null;
}

export interface ListTypedArtifactsInput extends OfConversation {
  readonly type?: string;
  readonly page?: number;
  readonly perPage?: number;
}

export interface ListedTypedArtifact {
  readonly id: number;
  readonly type: TypedArtifactType;
  readonly title: string | null;
  readonly turnIndex: number;
  readonly createdAt: string;
  readonly url: string;
}

export interface TypedArtifactPage {
  readonly artifacts: readonly ListedTypedArtifact[];
  readonly page: number;
  readonly perPage: number;
  readonly hasMore: boolean;
}

export interface NewestTypedArtifactsInput extends OfConversation {
  /** Any text; one that no artifact has matches nothing. */
  readonly type: string | null;
  /** 1–100; refused outside. */
  readonly limit: unknown;
}

interface Row {
  readonly id: number;
  readonly type: TypedArtifactType;
  readonly title: string | null;
  readonly turn_index: number;
  readonly created_at: Date;
}

/** What the caller's own conversation holds, newest first. The payloads are not read. */
@Injectable()
export class ListTypedArtifacts {
  constructor(
    private readonly access: ProjectAccess,
    private readonly database: Database,
    private readonly links: TypedLinks,
  ) {}

  /** @throws DomainError `invalid` for a type that is none. */
  async execute(actor: ConnectionActor, input: ListTypedArtifactsInput): Promise<TypedArtifactPage> {
    await this.access.require(actor, input.projectId, 'read');
    if (input.type !== undefined && !isTypedArtifactType(input.type)) {
      throw refusalOfArguments([{ argument: 'type', sentence: TYPE_SENTENCE }]);
    }
    const { page, perPage } = clampPage(input.page, input.perPage);
    const rows = await this.rows(actor, input, input.type ?? null, perPage + 1, (page - 1) * perPage);
    return {
      artifacts: rows.slice(0, perPage).map((row) => this.listed(input.projectId, row)),
      page,
      perPage,
      hasMore: rows.length > perPage,
    };
  }

  /** @throws DomainError `invalid` for a limit outside 1–100. */
  async newest(
    actor: ConnectionActor,
    input: NewestTypedArtifactsInput,
  ): Promise<readonly ListedTypedArtifact[]> {
    await this.access.require(actor, input.projectId, 'read');
    const { limit } = input;
    if (!Number.isInteger(limit) || (limit as number) < 1 || (limit as number) > NEWEST_MAX) {
      throw refusalOfArguments([
        { argument: 'limit', sentence: `limit must be between 1 and ${NEWEST_MAX}.` },
      ]);
    }
    const rows = await this.rows(actor, input, input.type, limit as number, 0);
    return rows.map((row) => this.listed(input.projectId, row));
  }

  private async rows(
    { personId }: ConnectionActor,
    { projectId, conversation }: OfConversation,
    type: string | null,
    limit: number,
    offset: number,
  ): Promise<Row[]> {
    if (conversation === null || type?.includes('\0')) return [];
    const given = [projectId, personId, conversation, limit, offset];
    return this.database.query<Row>(newestOfThread(type !== null), type === null ? given : [...given, type]);
  }

  private listed(projectId: string, row: Row): ListedTypedArtifact {
    return {
      id: row.id,
      type: row.type,
      title: row.title,
      turnIndex: row.turn_index,
      createdAt: row.created_at.toISOString(),
      url: this.links.chart(projectId, row.id),
    };
  }
}

/** The statement of both lists; the index on the conversation gives its rows in order. */
export function newestOfThread(ofType: boolean): string {
  return `SELECT id, type, title, turn_index, created_at FROM artifacts.typed_artifact
    WHERE thread_id = (SELECT id FROM artifacts.typed_thread
      WHERE project_id = $1 AND person_id = $2 AND session_key = $3)${ofType ? ' AND type = $6' : ''}
    ORDER BY id DESC LIMIT $4 OFFSET $5`;
}
