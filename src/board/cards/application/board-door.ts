import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { DomainError } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { type AccessLevel, ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { WorkflowTemplates } from '../../workflow/application/ports/workflow-templates.js';
import { BoardChange } from './board-change.js';
import { BoardMaker } from './board-maker.js';
import { CardStates } from './card-states.js';
import { Boards } from './ports/boards.js';
import { Turns } from './turns.js';

/** What a change is for, and who may make it. */
export interface ChangeRequest {
  readonly projectId: string;
  readonly level: AccessLevel;
  /** Audit operation under which a refusal by a rule is recorded. */
  readonly operation: string;
}

/**
 * The one way to change a board: under the lock of its row, so that two writers never decide on the same state, and
 * with history, events, audit and live updates in the same transaction. A change in which nothing happened writes none.
 */
@Injectable()
export class BoardDoor {
  private readonly turns = new Turns();

  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly boards: Boards,
    private readonly maker: BoardMaker,
    private readonly templates: WorkflowTemplates,
    private readonly states: CardStates,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly live: LiveUpdates,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `not-found` or `forbidden`, and whatever `work` refuses; then nothing is changed. */
  async change<T>(
    actor: Actor,
    request: ChangeRequest,
    work: (change: BoardChange) => Promise<T>,
  ): Promise<T> {
    const { projectId, level, operation } = request;
    await this.access.require(actor, projectId, level);
    try {
      return await this.turns.take(projectId, () =>
        this.unitOfWork.run(async () => {
          const board = await this.maker.lock(actor, projectId);
          const workflow = await this.templates.of(projectId);
          const change = new BoardChange(actor, board, workflow, this.clock.now(), this.ids);
          const result = await work(change);
          await this.states.refresh(change);
          if (change.happened) await this.write(change);
          return result;
        }),
      );
    } catch (error) {
      if (isRefusalByRule(error))
        await this.audit.record(actor, {
          operation,
          outcome: 'refused',
          projectId,
          context: { code: error.code },
        });
      throw error;
    }
  }

  private async write(change: BoardChange): Promise<void> {
    const { actor, board } = change;
    board.state.revision = change.revision;
    await this.boards.save(board, change.history);
    if (change.events.length > 0) await this.outbox.publish(actor, ...change.events);
    const { projectId } = board;
    if (change.records.length > 0)
      await this.audit.record(actor, ...change.records.map((record) => ({ projectId, ...record })));
    for (const news of change.news) await this.live.publish(`project:${board.projectId}:board`, news);
  }
}

/** Conflicts of two writers are no refusals by a rule: busy pages would fill the audit log with them. */
const OF_TWO_WRITERS = new Set([
  'stale_column',
  'card_changed',
  'columns_changed',
  'column_gone',
  'not_open',
]);

function isRefusalByRule(error: unknown): error is DomainError {
  return error instanceof DomainError && error.kind === 'conflict' && !OF_TWO_WRITERS.has(error.code);
}
