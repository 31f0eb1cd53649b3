import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { BoardDoor } from '../board-door.js';

/** For how many days finished cards stay on the board. @throws InvalidInput `finishedWindowDays`. */
@Injectable()
export class UpdateBoardSettings {
  constructor(private readonly door: BoardDoor) {}

  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly finishedWindowDays: number },
  ): Promise<{ readonly finishedWindowDays: number; readonly revision: number }> {
    const { projectId, finishedWindowDays } = input;
    const request = { projectId, level: 'administer', operation: 'board.settings_updated' } as const;
    return this.door.change(actor, request, async (change) => {
      if (change.board.showFinishedFor(finishedWindowDays)) {
        change.tell('columns', projectId);
        change.records.push({
          operation: 'board.settings_updated',
          subjectType: 'board',
          subjectId: change.board.state.id,
          context: { finishedWindowDays },
        });
      }
      return {
        finishedWindowDays,
        revision: change.happened ? change.revision : change.board.state.revision,
      };
    });
  }
}
