import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { AnswerAgentReview } from '#src/documents/application/commands/answer-agent-review.js';
import { SubmitAgentReview } from '#src/documents/application/commands/submit-agent-review.js';
import { id, list, oneOf, text, whole, yesNo } from './arguments.js';
import { type ToolDefinition, ToolSource, tool } from './tool-definition.js';

const cardId = () => id('Card of this run');
const documentId = () => id('Draft that the card links');
const sessionId = () => text('Your own; default is the header Loupe-Session-Id').optional();

/** Null counts as absent; unknown fields pass, because the use case refuses them by name. */
function fields<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = z.looseObject(shape, { error: 'must be an object.' }).meta({ additionalProperties: false });
  return z.preprocess(withoutNulls, known);
}

function withoutNulls(given: unknown): unknown {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

/** What all of these tools share. */
const shared = { flags: ['board.enabled'], checksArguments: true, level: 'contribute' } as const;

/** Tools of workers that review draft designs and of those that revise them. */
@Injectable()
export class AgentReviewTools extends ToolSource {
  override readonly tools: readonly ToolDefinition[];

  constructor(submit: SubmitAgentReview, answer: AnswerAgentReview) {
    super();
    this.tools = [
      tool({
        ...shared,
        name: 'document_review_submit',
        title: 'Submit design review',
        description:
          'Stores what a running worker with the design-review role found in a draft that its card links, before a person reads it. [] passes the draft; a finding without needsPerson fails it. The same call again changes nothing. The reviser answers with document_review_answer. Returns reviewId, current, outcome and the ids of the findings.',
        failure: 'The review could not be stored. The error has been logged.',
        input: z.strictObject({
          cardId: cardId(),
          documentId: documentId(),
          sessionId: sessionId(),
          version: whole('Version that you read', { minimum: 1 }),
          findings: list(
            fields({
              title: text('One line', { maxLength: 200 }),
              body: text('What is wrong, Markdown', { maxLength: 5000 }),
              section: text('Heading it is about', { maxLength: 255 }).optional(),
              needsPerson: yesNo('Only the owner can settle it', false).optional(),
            }),
            { description: 'Never names a file or a line', maxItems: 50 },
          ),
          summary: text('The review in short', { maxLength: 4000 }).optional(),
        }),
        handle: ({ actor, projectId }, input) => submit.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...shared,
        name: 'document_review_answer',
        title: 'Answer design review',
        description:
          'Answers every finding of the latest review that the card got for the draft, all at once and only once, as a running worker with the design-revise role. Makes no version: call document_revise for the text; carry to-owner points in it as a decision. Read findings with document_get_review. Returns counts by answer.',
        failure: 'The answers could not be stored. The error has been logged.',
        input: z.strictObject({
          cardId: cardId(),
          documentId: documentId(),
          sessionId: sessionId(),
          answers: list(
            fields({
              findingId: id('A finding'),
              answer: oneOf('What came of it', ['fixed', 'not-changed', 'to-owner']),
              reason: text('Required for not-changed', { maxLength: 2000 }).optional(),
            }),
            { description: 'One for each finding', minItems: 1, maxItems: 50 },
          ),
          reviewId: id('Refuse when it is not the latest review').optional(),
        }),
        handle: ({ actor, projectId }, input) => answer.execute(actor, { projectId, ...input }),
      }),
    ];
  }
}
