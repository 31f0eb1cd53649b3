import type { z } from 'zod';
import type { ConnectionActor } from '#libs/kernel/actor.js';
import type { AccessLevel } from '#libs/kernel/ports/project-access.js';

/** What a tool gets beside its arguments. */
export interface ToolCall {
  readonly actor: ConnectionActor;
  /** The project of the connection; access at the level of the tool is already checked. */
  readonly projectId: string;
  readonly signal: AbortSignal;
}

/**
 * The one declaration of a tool. From it come the listing, the checks before a call (flag, role, arguments), the pages
 * that list tools, and the snapshot test. It holds no rule: `handle` calls one use case.
 */
export interface ToolDefinition<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** What it does, when to use it and which sibling instead, side effects, limits, what comes back. */
  readonly description: string;
  /** `read` makes it read-only; `administer` needs the maintainer role. */
  readonly level: AccessLevel;
  /** Flags that must all be on; the first that is off gives the refusal. */
  readonly flags: readonly string[];
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  /** Every argument described; unknown ones are refused by name. */
  readonly input: Input;
  /** The object that becomes `structuredContent`. */
  handle(call: ToolCall, input: z.output<Input>): Promise<Record<string, unknown>>;
}

/** Keeps the types of a declaration while it goes into a list of mixed ones. */
export function tool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): ToolDefinition {
  return definition as unknown as ToolDefinition;
}

/** The tools of one context, in the order in which they are listed. Implemented by `<context>.tools.ts`. */
export abstract class ToolSource {
  abstract readonly tools: readonly ToolDefinition[];
}
