import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { isUuid } from '#libs/kernel/ids.js';
import { clampPage } from '#libs/kernel/page.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';
import { Parameters } from '#libs/persistence/parameters.js';
import { isTypedArtifactType, type TypedArtifactType } from '../../domain/payload.js';
import { TypedLinks } from '../ports/typed-links.js';
import { type ThreadAnswer, threadsByIds } from './thread-answers.js';

/** Charts on a page of the gallery. */
const CHARTS_PER_PAGE = 24;

export interface ListChartsInput {
  readonly projectId: string;
  /** An unknown type or conversation matches nothing. */
  readonly type: string | null;
  readonly threadId: string | null;
  /** Text in the title, without regard to case. */
  readonly text: string | null;
  readonly page: number | null;
}

export interface ChartRow {
  readonly id: number;
  readonly type: TypedArtifactType;
  readonly title: string | null;
  readonly description: string | null;
  readonly turnIndex: number;
  readonly createdAt: string;
  readonly url: string;
  readonly pictureUrl: string;
  readonly threadId: string;
}

export interface ChartPage {
  readonly charts: readonly ChartRow[];
  /** The conversations of these charts. */
  readonly threads: readonly ThreadAnswer[];
  readonly page: number;
  readonly perPage: number;
  readonly hasMore: boolean;
  readonly total: number;
}

interface Row {
  readonly id: number;
  readonly type: TypedArtifactType;
  readonly title: string | null;
  readonly description: string | null;
  readonly turn_index: number;
  readonly created_at: Date;
  readonly thread_id: string;
}

/** The gallery of a project: typed artifacts of all conversations, newest first. The payloads are not read. */
@Injectable()
export class ListCharts {
  constructor(
    private readonly access: ProjectAccess,
    private readonly database: Database,
    private readonly links: TypedLinks,
  ) {}

  async execute(actor: Actor, input: ListChartsInput): Promise<ChartPage> {
    await this.access.require(actor, input.projectId, 'read');
    const { page } = clampPage(input.page ?? undefined, CHARTS_PER_PAGE);
    const wanted = conditions(input);
    const shown = { page, perPage: CHARTS_PER_PAGE };
    if (!wanted) return { charts: [], threads: [], ...shown, hasMore: false, total: 0 };
    return this.database.snapshot(async () => {
      const offset = (page - 1) * CHARTS_PER_PAGE;
      const rows = await this.database.query<Row>(
        `SELECT id, type, title, description, turn_index, created_at, thread_id
           FROM artifacts.typed_artifact WHERE ${wanted.sql}
          ORDER BY id DESC LIMIT ${CHARTS_PER_PAGE + 1} OFFSET ${offset}`,
        wanted.values,
      );
      const counted = await this.database.one<{ total: number }>(
        `SELECT count(*) AS total FROM artifacts.typed_artifact WHERE ${wanted.sql}`,
        wanted.values,
      );
      const charts = rows.slice(0, CHARTS_PER_PAGE).map((row) => this.shown(input.projectId, row));
      const threads = await threadsByIds(this.database, [...new Set(charts.map((row) => row.threadId))]);
      return {
        charts,
        threads,
        ...shown,
        hasMore: rows.length > CHARTS_PER_PAGE,
        total: counted?.total ?? 0,
      };
    });
  }

  private shown(projectId: string, row: Row): ChartRow {
    return {
      id: row.id,
      type: row.type,
      title: row.title,
      description: row.description,
      turnIndex: row.turn_index,
      createdAt: row.created_at.toISOString(),
      url: this.links.chart(projectId, row.id),
      pictureUrl: this.links.picture(projectId, row.id),
      threadId: row.thread_id,
    };
  }
}

/** Null when nothing can match. */
function conditions(input: ListChartsInput): { sql: string; values: readonly unknown[] } | null {
  const p = new Parameters();
  const parts = [`project_id = ${p.add(input.projectId)}`];
  if (input.type) {
    if (!isTypedArtifactType(input.type)) return null;
    parts.push(`type = ${p.add(input.type)}`);
  }
  if (input.threadId) {
    if (!isUuid(input.threadId)) return null;
    parts.push(`thread_id = ${p.add(input.threadId)}`);
  }
  const text = input.text?.trim();
  if (text) {
    if (text.includes('\0')) return null;
    parts.push(`strpos(lower(title), lower(${p.add(text.slice(0, 200))})) > 0`);
  }
  return { sql: parts.join(' AND '), values: p.values };
}
