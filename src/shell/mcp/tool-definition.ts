import type { z } from 'zod';
import type { ConnectionActor } from '#libs/kernel/actor.js';
import type { AccessLevel } from '#libs/kernel/ports/project-access.js';

/** What a tool gets beside its arguments. */
export interface ToolCall {
  readonly actor: ConnectionActor;
  /** The project of the connection; access at the level of the tool is already checked. */
  readonly projectId: string;
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
  /**
   * The use case takes absent arguments and names them together with everything else that is wrong; `null` counts as
   * absent. Without it the adapter refuses absent required arguments, and null, before the use case runs.
   */
  readonly absentIsForTheUseCase?: boolean;
  /** Says what failed when something unexpected happens; default is the sentence of all tools. */
  readonly failure?: string;
  /** The object that becomes `structuredContent`. */
  handle(call: ToolCall, input: ToolInput<Input>): Promise<object>;
}

/** Arguments as `handle` gets them. */
export type ToolInput<Input extends z.ZodObject> = z.output<Input>;

/** Keeps the types of a declaration while it goes into a list of mixed ones. */
export function tool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): ToolDefinition {
  return definition as unknown as ToolDefinition;
}

/** The tools of one context. Implemented by `<context>.tools.ts`. */
export abstract class ToolSource {
  abstract readonly tools: readonly ToolDefinition[];
}
