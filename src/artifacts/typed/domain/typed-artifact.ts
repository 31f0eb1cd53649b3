import { DomainError } from '#libs/kernel/errors.js';
import { DESCRIPTION_LENGTH, PER_PROJECT, PER_THREAD, TITLE_LENGTH, TURN_INDEX_MAX } from './limits.js';
import { isTypedArtifactType, TYPED_ARTIFACT_TYPES, type TypedArtifactType } from './payload.js';
import { type PayloadProblem, PROBLEMS_SHOWN } from './payload-rules.js';

/** One stored chart or table, without its payload. It never changes. */
export interface TypedArtifactFacts {
  /** Counts from 1 in its project. */
  readonly id: number;
  readonly threadId: string;
  readonly type: TypedArtifactType;
  readonly title: string | null;
  readonly description: string | null;
  readonly turnIndex: number;
  readonly createdAt: Date;
}

/** A conversation: what one agent session of a person makes in a project. */
export interface Thread {
  readonly id: string;
  readonly lastTurnIndex: number | null;
  readonly artifactCount: number;
}

/** What an agent says about a new one, as it came. */
export interface GivenFacts {
  readonly type: unknown;
  readonly title?: string | null;
  readonly description?: string | null;
  readonly turnIndex?: number | null;
}

export interface ReadFacts {
  readonly type: TypedArtifactType;
  readonly title: string | null;
  readonly description: string | null;
  /** Null takes the last one of the conversation. */
  readonly turnIndex: number | null;
}

/** A rejected argument, with the whole sentence. */
export interface Rejected {
  readonly argument: string;
  readonly sentence: string;
}

export const TYPE_SENTENCE = `type must be one of ${TYPED_ARTIFACT_TYPES.join(', ')}.`;

/** Reads everything but the payload, and adds to `rejected` what is wrong; null when the type is none. */
export function readFacts(given: GivenFacts, rejected: Rejected[]): ReadFacts | null {
  const title = given.title?.trim() || null;
  const description = given.description?.trim() || null;
  const turnIndex = given.turnIndex ?? null;
  const { type } = given;
  const known = isTypedArtifactType(type);
  if (!known) rejected.push({ argument: 'type', sentence: TYPE_SENTENCE });
  if (title !== null && (lengthOf(title) > TITLE_LENGTH || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(title))) {
    rejected.push({
      argument: 'title',
      sentence: `title must be one line of at most ${TITLE_LENGTH} characters.`,
    });
  }
  if (description !== null && lengthOf(description) > DESCRIPTION_LENGTH) {
    rejected.push({
      argument: 'description',
      sentence: `description has ${lengthOf(description)} characters; the limit is ${DESCRIPTION_LENGTH}.`,
    });
  }
  if (turnIndex !== null && !(turnIndex >= 0 && turnIndex <= TURN_INDEX_MAX)) {
    rejected.push({
      argument: 'turnIndex',
      sentence: `turnIndex must be between 0 and ${TURN_INDEX_MAX}.`,
    });
  }
  return known ? { type, title, description, turnIndex } : null;
}

function lengthOf(text: string): number {
  return [...text].length;
}

/** The number of the message that the agent answers: as given, else the last one of the conversation, else the first. */
export function turnOf(thread: Thread, given: number | null): number {
  return given ?? thread.lastTurnIndex ?? 1;
}

/** The sentence about a payload that does not fit its type. */
export function payloadRefusal(
  type: TypedArtifactType,
  problems: readonly PayloadProblem[],
  schemaUrl: string,
): string {
  const places = problems
    .slice(0, PROBLEMS_SHOWN)
    .map(({ pointer, sentence }) => (pointer === '' ? `payload ${sentence}` : `${pointer} ${sentence}`));
  return `payload does not fit ${type}: ${places.join('; ')}. Schema: ${schemaUrl}`;
}

/** Everything that is wrong at once, a line each. */
export function refusalOfArguments(rejected: readonly Rejected[]): DomainError {
  return new DomainError('invalid', 'invalid', rejected.map(({ sentence }) => sentence).join('\n'), {
    argument: rejected[0]?.argument,
  });
}

/** @throws DomainError `limit` when a conversation has no room. */
export function requireRoom(thread: Thread): void {
  if (thread.artifactCount < PER_THREAD) return;
  throw limitReached(`This conversation holds ${thread.artifactCount}`, PER_THREAD);
}

export function projectIsFull(): DomainError {
  return limitReached(`The project holds ${PER_PROJECT}`, PER_PROJECT);
}

function limitReached(what: string, limit: number): DomainError {
  return new DomainError(
    'conflict',
    'limit',
    `${what} typed artifacts; the limit is ${limit}. Refer to one that exists by its id, or ask a person to delete some on the charts page.`,
  );
}
