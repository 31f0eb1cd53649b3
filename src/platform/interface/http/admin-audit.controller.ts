import { Readable } from 'node:stream';
import { Controller, Get, Query, StreamableFile, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { inputPipe } from '#libs/http/input.pipe.js';
import { AdminGuard } from '#libs/http/session.guard.js';
import type { PersonActor } from '#libs/kernel/actor.js';
import {
  type AuditEventView,
  type AuditPage,
  ListAuditEvents,
} from '../../application/queries/list-audit-events.js';
import { AuditQuery } from './admin.dto.js';
import { csvLine } from './csv.js';

const COLUMNS: readonly (keyof AuditEventView)[] = [
  'at',
  'operation',
  'outcome',
  'actorKind',
  'actorName',
  'actorId',
  'channel',
  'connectionId',
  'agentSessionId',
  'ip',
  'subjectType',
  'subjectId',
  'projectId',
  'context',
  'id',
];

/** The audit log, for admins (`platform.md` 7). */
@Controller('api/admin')
@UseGuards(AdminGuard)
export class AdminAuditController {
  constructor(private readonly audit: ListAuditEvents) {}

  @Get('audit')
  list(@CurrentActor() actor: PersonActor, @Query(inputPipe) query: AuditQuery): Promise<AuditPage> {
    return this.audit.execute(actor, query);
  }

  @Get('audit.csv')
  csv(@CurrentActor() actor: PersonActor, @Query(inputPipe) query: AuditQuery): StreamableFile {
    const rows = this.audit.rows(actor, query);
    return new StreamableFile(Readable.from(lines(rows)), {
      type: 'text/csv; charset=utf-8',
      disposition: 'attachment; filename="audit-log.csv"',
    });
  }
}

async function* lines(rows: AsyncIterable<AuditEventView>): AsyncIterable<Buffer> {
  yield Buffer.from(csvLine(COLUMNS));
  for await (const row of rows) {
    const cells = COLUMNS.map((column) => {
      const value = row[column];
      return value === null || typeof value === 'string' ? value : JSON.stringify(value);
    });
    yield Buffer.from(csvLine(cells));
  }
}
