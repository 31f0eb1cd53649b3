import { DomainError, InvalidInput } from '#libs/kernel/errors.js';
import type { ToolDefinition } from './tool-definition.js';
import type { ToolResult } from './tool-result.js';

/** What a refusal means to a program (`artifacts.md` 6). */
type RefusalCode =
  | 'DISABLED'
  | 'INVALID_ARGUMENT'
  | 'NOT_FOUND'
  | 'FORBIDDEN'
  | 'CONFLICT'
  | 'REVISION_CONFLICT'
  | 'LIMIT'
  | 'BUSY'
  | 'UNAVAILABLE';

/** Refusals of the domain that have a code of their own. */
const BY_CODE: Readonly<Record<string, RefusalCode>> = {
  revision_conflict: 'REVISION_CONFLICT',
  busy: 'BUSY',
  limit: 'LIMIT',
};

const BY_KIND: Readonly<Record<DomainError['kind'], RefusalCode>> = {
  'switched-off': 'DISABLED',
  invalid: 'INVALID_ARGUMENT',
  unauthenticated: 'FORBIDDEN',
  forbidden: 'FORBIDDEN',
  'not-found': 'NOT_FOUND',
  conflict: 'CONFLICT',
  'too-large': 'LIMIT',
  'rate-limited': 'LIMIT',
  unavailable: 'UNAVAILABLE',
};

/** The result that tells an agent why nothing was done. */
export function refusalOf(tool: ToolDefinition, error: DomainError): ToolResult {
  if (tool.refusals !== 'coded') return refusalText(sentencesOf(error));
  const argument =
    error instanceof InvalidInput ? error.problems[0]?.argument : (error.detail.argument ?? undefined);
  return {
    ...refusalText(error.message),
    structuredContent: {
      success: false,
      error: {
        code: BY_CODE[error.code] ?? BY_KIND[error.kind],
        message: error.message,
        ...(argument === undefined ? {} : { argument }),
        ...error.detail.facts,
      },
    },
  };
}

export function refusalText(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** One line a problem, with the argument to fix where there is one. */
function sentencesOf(error: DomainError): string {
  if (error instanceof InvalidInput || error.detail.argument === undefined) return error.message;
  return `${error.detail.argument}: ${error.message}`;
}
