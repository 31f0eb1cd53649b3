import type { Flags } from '#libs/kernel/ports/flags.js';
import type { ListedTool } from './listed-tool.js';
import type { ToolDefinition } from './tool-definition.js';

/** The argument that all artifact tools share (`artifacts.md` 2.1): what the agent does, and why. */
export const REASONING_ARGUMENT = 'action_and_reasoning';

/** Longest text that is kept, in UTF-16 units. */
const REASONING_LENGTH = 2_000;

const DESCRIPTION = 'What you do and why';
const REQUIRED = `${REASONING_ARGUMENT} is required: say in one sentence what you do and why.`;

export type ReasoningMode = 'off' | 'optional' | 'required';

export function reasoningModeOf(flags: Flags): ReasoningMode {
  const mode = flags.text('mcp.action_and_reasoning');
  return mode === 'optional' || mode === 'required' ? mode : 'off';
}

/** The schema of a tool with the shared argument, last; the same schema where the tool or the flag has none. */
export function withReasoning(
  tool: ToolDefinition,
  schema: ListedTool['inputSchema'],
  mode: ReasoningMode,
): ListedTool['inputSchema'] {
  if (!tool.reasoning || mode === 'off') return schema;
  const properties = schema.properties as Record<string, unknown> | undefined;
  const required = (schema.required as string[] | undefined) ?? [];
  const wanted = mode === 'required' || tool.reasoning === 'expected';
  return {
    ...schema,
    properties: { ...properties, [REASONING_ARGUMENT]: { type: 'string', description: DESCRIPTION } },
    ...(wanted ? { required: [...required, REASONING_ARGUMENT] } : {}),
  };
}

/** Arguments without the shared one, and what it said. */
export interface WithoutReasoning {
  readonly given: Readonly<Record<string, unknown>>;
  /** Trimmed and cut; null when it was left out, was blank, or is switched off. */
  readonly text: string | null;
  /** Whether the record of the call says that it is missing. */
  readonly missing: boolean;
  /** The sentence that refuses the call, or null. */
  readonly refusal: string | null;
}

/** Takes the shared argument off before anything else looks at the arguments. */
export function takeReasoning(
  tool: ToolDefinition,
  given: Readonly<Record<string, unknown>>,
  mode: ReasoningMode,
): WithoutReasoning {
  if (!tool.reasoning) return { given, text: null, missing: false, refusal: null };
  const { [REASONING_ARGUMENT]: value, ...rest } = given;
  if (mode === 'off') return { given: rest, text: null, missing: false, refusal: null };
  if (value !== undefined && value !== null && typeof value !== 'string') {
    return { given: rest, text: null, missing: false, refusal: `${REASONING_ARGUMENT}: must be a string.` };
  }
  const text = tidied(value ?? '');
  if (text !== '') return { given: rest, text, missing: false, refusal: null };
  if (mode === 'required') {
    return { given: rest, text: null, missing: true, refusal: REQUIRED };
  }
  return { given: rest, text: null, missing: tool.reasoning === 'expected', refusal: null };
}

/** What no database can hold is left out, and a cut never halves a character. */
function tidied(value: string): string {
  const cut = value.trim().slice(0, REASONING_LENGTH);
  return cut
    .replaceAll('\0', '')
    .replace(/\p{Surrogate}/gu, '')
    .trim();
}
