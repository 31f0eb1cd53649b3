import type { z } from 'zod';
import type { ConnectionActor } from '#libs/kernel/actor.js';
import type { JsonText } from '#libs/kernel/json-text.js';
import type { AccessLevel } from '#libs/kernel/ports/project-access.js';

/** What a tool gets beside its arguments. */
export interface ToolCall {
  readonly actor: ConnectionActor;
  /** The project of the connection; access at the level of the tool is already checked. */
  readonly projectId: string;
  /** Key of the conversation that the client named in a header; null when it named none. */
  readonly conversation: string | null;
  /** The header `X-Figma-Token`: a secret, for the one tool that hands it on; null when absent. */
  readonly figmaToken: string | null;
  /** Aborted when the client is gone, so that a call that only waits can end. */
  readonly gone: AbortSignal | undefined;
  /** Hears percent, where the tool reports progress and the client asked for it. */
  readonly progress: ((percent: number) => void) | undefined;
  /** JSON of an argument as the client wrote it, keys in its order, without white space between; null when absent. */
  textOf(argument: string): string | null;
}

/** One block of an answer. */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string | JsonText }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string };

/** An answer with blocks of its own, in place of an object that is sent as JSON. Only for tools that read. */
export class ToolContent {
  constructor(
    readonly blocks: readonly ContentBlock[],
    /** `structuredContent`; absent for tools that answer text alone. */
    readonly structured?: object,
  ) {}

  static text(text: string): ToolContent {
    return new ToolContent([{ type: 'text', text }]);
  }
}

/** What a record of the audit log is about. */
export interface CallSubject {
  readonly type: string;
  readonly id: string;
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
  /** What it does is seen outside of the instance. */
  readonly openWorld?: boolean;
  /** Takes long, and tells how far it is to clients that ask for it. */
  readonly reportsProgress?: true;
  /** Every argument described; unknown ones are refused by name. */
  readonly input: Input;
  /**
   * The use case checks its arguments before it does anything lasting. So when the adapter has refused some of them, the
   * use case is asked about the rest, and one answer names everything that is wrong.
   */
  readonly checksArguments?: true;
  /** `null` is a wrong value here; everywhere else it is the same as leaving the argument out. */
  readonly refusesNull?: true;
  /** Second names of arguments, by the first: they are accepted, and not listed. */
  readonly secondNames?: Readonly<Record<string, string>>;
  /** Says what failed when something unexpected happens; default is the sentence of all tools. */
  readonly failure?: string;
  /**
   * Compatibility names: they run this declaration, with the same arguments and the same result. They are listed while
   * `artifacts.aliases.listed` is on, and can be called whenever the tool can.
   */
  readonly aliases?: readonly string[];
  /** Names the tool whose compatibility name this declaration is, when it has arguments or a result of its own. */
  readonly compatibilityOf?: string;
  /**
   * Takes the shared argument `action_and_reasoning`, which the tool never sees. `expected` marks it as required in the
   * schema even while it is optional, so that clients fill it in.
   */
  readonly reasoning?: true | 'expected';
  /** What the record about a call with reasoning is about; default is the artifact of the arguments or of the result. */
  subjectOf?(input: Readonly<Record<string, unknown>>, result: unknown): CallSubject | null;
  /** `coded`: refusals also carry `structuredContent` with a code, as `artifacts.md` 6 says. */
  readonly refusals?: 'coded';
  /**
   * Begins to read what `handle` will need, while the door still asks who calls, so that both wait for the database at
   * the same time. Only for a read that is the same whoever calls; nothing of it is shown before every check.
   */
  begin?(input: ToolInput<Input>): void;
  /** The object that becomes `structuredContent`, or an answer with blocks of its own. */
  handle(call: ToolCall, input: ToolInput<Input>): Promise<object | ToolContent>;
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
