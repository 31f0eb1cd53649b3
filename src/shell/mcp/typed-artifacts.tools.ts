import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '#libs/kernel/errors.js';
import { ProduceTypedArtifact } from '#src/artifacts/typed/application/commands/produce-typed-artifact.js';
import {
  type FoundTypedArtifact,
  GetTypedArtifact,
} from '#src/artifacts/typed/application/queries/get-typed-artifact.js';
import {
  type ListedTypedArtifact,
  ListTypedArtifacts,
} from '#src/artifacts/typed/application/queries/list-typed-artifacts.js';
import { oneOf, paging, text, whole } from './arguments.js';
import { type CallSubject, ToolContent, type ToolDefinition, ToolSource, tool } from './tool-definition.js';

const TYPES = ['line_chart', 'area_chart', 'bar_chart', 'scatter_chart', 'pie_chart', 'table', 'stat'];

const shared = {
  flags: ['artifacts.enabled', 'artifacts.typed.enabled'],
} as const;

/** Any value: these two names have refusals of their own, so the use case looks at it. */
function loose(description: string, schema: Record<string, unknown>) {
  return z.unknown().meta({ description, ...schema });
}

/** Tools for charts and tables of one conversation. Which conversation it is comes from a header, never from an argument. */
@Injectable()
export class TypedArtifactTools extends ToolSource {
  override readonly tools: readonly ToolDefinition[];

  constructor(produce: ProduceTypedArtifact, list: ListTypedArtifacts, get: GetTypedArtifact) {
    super();
    this.tools = [
      tool({
        ...shared,
        name: 'artifact_typed_create',
        title: 'Store a chart or table',
        description:
          'Stores a chart, table or figures of this conversation, drawn for people in the browser. Payloads: line_chart, area_chart, bar_chart {series:[{name,points:[{x,y}]}]}, y null is a gap, optional x{label,type:category|time|number}, y{label,unit,min,max}, note, stacked, orientation; scatter_chart the same with numbers and optional label of a point; pie_chart {slices:[{label,value}]}; table {columns:[{key,label,type}],rows:[{key:value}]}; stat {items:[{label,value,unit,delta,direction}]}. At most 5000 points, 2000 rows, 256 KB. Never changed; each call stores another one. Later refer to it by its id, which artifact_typed_list finds.',
        level: 'contribute',
        reasoning: true,
        refusals: 'coded',
        subjectOf: (_, result) => typed((result as { readonly id?: unknown } | null)?.id),
        input: z.strictObject({
          type: oneOf('Kind of payload', TYPES),
          payload: z
            .any()
            .refine((value) => value !== null && typeof value === 'object', { error: 'must be an object.' })
            .meta({ description: 'Data in the shape of the type', type: 'object' }),
          title: text('One line', { maxLength: 200 }).optional(),
          description: text('Text for people who do not see it', { maxLength: 1000 }).optional(),
          turnIndex: whole('Number of the message that this answers; default the last one used', {
            minimum: 0,
            maximum: 100_000,
          }).optional(),
        }),
        handle: ({ actor, projectId, conversation, textOf }, input) =>
          produce.execute(actor, { ...input, projectId, conversation, payloadText: textOf('payload') ?? '' }),
      }),
      tool({
        ...shared,
        name: 'artifact_typed_list',
        title: 'List charts of this conversation',
        description:
          'Lists charts and tables stored in this conversation, newest first, without their payloads; artifact_typed_get reads one. Those of other conversations are on the charts page. For prototypes and files of the project use artifact_list.',
        level: 'read',
        reasoning: true,
        refusals: 'coded',
        input: z.strictObject({
          type: oneOf('Only this type', TYPES).optional(),
          ...paging(20),
        }),
        subjectOf: () => null,
        handle: ({ actor, projectId, conversation }, input) =>
          list.execute(actor, { ...input, projectId, conversation }),
      }),
      tool({
        ...shared,
        name: 'list_artifacts',
        title: 'List charts of this conversation',
        compatibilityOf: 'artifact_typed_list',
        description:
          'Lists the charts and tables produced in this conversation as lines "#id [turn n] type — title", newest first. Call it first when you do not know the id for get_artifact.',
        level: 'read',
        reasoning: 'expected',
        input: z.strictObject({
          artifact_type: z
            .string({ error: 'must be a string or null.' })
            .nullable()
            .meta({ description: 'Only this type, such as line_chart', default: null })
            .optional(),
          limit: loose('Lines', { type: 'integer', minimum: 1, maximum: 100, default: 20 }).optional(),
        }),
        subjectOf: () => null,
        handle: async ({ actor, projectId, conversation }, { artifact_type = null, limit = 20 }) => {
          const found = await plainly(() =>
            list.newest(actor, { projectId, conversation, type: artifact_type, limit }),
          );
          return ToolContent.text(
            found.map(lineOf).join('\n') || '(no artifacts produced yet in this conversation)',
          );
        },
      }),
      tool({
        ...shared,
        name: 'artifact_typed_get',
        title: 'Read a chart or table',
        description:
          'Reads one chart or table of this conversation with its payload, as it was sent. artifact_typed_list gives the ids. In an answer to a person, refer to it by id and url in place of repeating the payload.',
        level: 'read',
        reasoning: true,
        refusals: 'coded',
        subjectOf: ({ id }) => typed(id),
        input: z.strictObject({ id: whole('Number of the artifact', { minimum: 1 }) }),
        handle: async ({ actor, projectId, conversation }, { id }) => {
          const found = await get.execute(actor, { projectId, conversation, id });
          if (found) return answerOf(found);
          throw new DomainError(
            'not-found',
            'not_found',
            `Typed artifact #${id} was not found in this conversation.`,
          );
        },
      }),
      tool({
        ...shared,
        name: 'get_artifact',
        title: 'Read a chart or table',
        compatibilityOf: 'artifact_typed_get',
        description:
          'Reads one chart or table of this conversation as JSON: id, type, title, turn_index, payload. Call list_artifacts first when you do not know the id. Refer to a chart by its id in place of repeating its payload.',
        level: 'read',
        reasoning: 'expected',
        subjectOf: ({ artifact_id }) => typed(artifact_id),
        input: z.strictObject({
          artifact_id: loose('Number of the artifact', { type: 'integer', minimum: 1 }),
        }),
        handle: async ({ actor, projectId, conversation }, { artifact_id }) => {
          const id = artifact_id as number;
          if (!Number.isInteger(id) || id < 1) {
            throw new DomainError('invalid', 'invalid', 'artifact_id must be a whole number of 1 or more.');
          }
          const found = await get.execute(actor, { projectId, conversation, id });
          return ToolContent.text(found ? jsonOf(found) : `artifact #${id} not found in this conversation`);
        },
      }),
    ];
  }
}

function typed(id: unknown): CallSubject | null {
  return typeof id === 'number' ? { type: 'typed_artifact', id: String(id) } : null;
}

function lineOf({ id, turnIndex, type, title }: ListedTypedArtifact): string {
  return `#${id} [turn ${turnIndex}] ${type}${title === null ? '' : ` — ${title}`}`;
}

/** The payload goes out as it came in, whatever order its keys have. */
function jsonOf({ id, type, title, turnIndex, payloadText }: FoundTypedArtifact): string {
  const head = JSON.stringify({ id, type, title, turn_index: turnIndex });
  return `${head.slice(0, -1)},"payload":${payloadText}}`;
}

function answerOf({ payloadText, ...found }: FoundTypedArtifact): ToolContent {
  const { id, type, title, description, turnIndex, createdAt, url } = found;
  const head = JSON.stringify({ id, type, title, description, turnIndex }).slice(0, -1);
  const tail = JSON.stringify({ createdAt, url }).slice(1);
  return new ToolContent([{ type: 'text', text: `${head},"payload":${payloadText},${tail}` }], {
    id,
    type,
    title,
    description,
    turnIndex,
    payload: JSON.parse(payloadText),
    createdAt,
    url,
  });
}

/** Refusals of these names are sentences alone, without the name of an argument before them. */
async function plainly<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError(error.kind, error.code, error.message);
  }
}
