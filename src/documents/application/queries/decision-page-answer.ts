import type { People } from '../people.js';
import type { AnsweredDecision } from './review-answers.js';

/** A decision as pages show it. */
export function decisionPageAnswer({ block, answer, selections }: AnsweredDecision, people: People) {
  return {
    id: block.id,
    type: block.type,
    question: block.question,
    options: block.options,
    selections,
    note: answer?.note ?? null,
    updatedAt: answer?.updatedAt.toISOString() ?? null,
    updatedBy: answer ? people.name(answer.updatedByUserId) : null,
  };
}
