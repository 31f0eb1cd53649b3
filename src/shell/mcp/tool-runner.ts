import { randomUUID } from 'node:crypto';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { Logger } from '@nestjs/common';
import type { ConnectionActor } from '#libs/kernel/actor.js';
import { hashOfArguments } from '#libs/kernel/canonical-json.js';
import { withDeadline } from '#libs/kernel/deadline.js';
import { DomainError, InvalidInput, type Problem } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { ProjectAccess, refusalOfLevel } from '#libs/kernel/ports/project-access.js';
import { RequestResults } from '#libs/kernel/ports/request-results.js';
import { requestFacts } from '#libs/kernel/request-context.js';
import { hasSavedChange, notingSavedChanges, OUTCOME_UNKNOWN } from '#libs/kernel/saved-changes.js';
import { Metrics } from '#libs/observability/metrics.js';
import { type CheckedArguments, checkArguments } from './argument-check.js';
import { argumentText } from './argument-text.js';
import { REASONING_ARGUMENT, takeReasoning, type WithoutReasoning } from './reasoning.js';
import type { NotedCall } from './reasoning-record.js';
import { type ToolCall, ToolContent, type ToolDefinition } from './tool-definition.js';
import { refusalOf, refusalText } from './tool-refusal.js';
import { orderedAs, type ToolRegistry } from './tool-registry.js';
import type { ToolResult } from './tool-result.js';

/** A call is cut off after this time, in milliseconds. */
export const CALL_LIMIT_MS = 60_000;

/** Who calls, on which project, as the door has found out. */
export interface Caller {
  readonly actor: ConnectionActor;
  /** Answers every call while the request names no project; null when it names one. */
  readonly projectRefusal: string | null;
  /** `Loupe-Request-Id` as sent; null when absent. */
  readonly requestId: string | null;
  /** The conversation that the headers name; null when they name none. */
  readonly conversation?: string | null;
  /** The header `X-Figma-Token`; never in a log or a record. */
  readonly figmaToken?: string | null;
  /** Aborted when the client is gone. */
  readonly gone?: AbortSignal;
  /** Set where the client asked for the progress of this call. */
  readonly progress?: (percent: number) => void;
  /** The request as it was written, for arguments that are kept as they came. */
  readonly bodyText?: () => string;
}

/** Checks a call in the order flag, role, arguments, state, runs it, and turns what came of it into a result. */
export class ToolRunner {
  private readonly logger = new Logger('mcp');

  constructor(
    private readonly registry: ToolRegistry,
    private readonly flags: Flags,
    private readonly access: ProjectAccess,
    private readonly results: RequestResults,
    private readonly metrics: Metrics,
    private readonly limitMs = CALL_LIMIT_MS,
    /** Hears of every call that was let through. */
    private readonly heard: (actor: ConnectionActor) => Promise<void> = async () => undefined,
    /** Hears of every such call once more when it is over. */
    private readonly noted: (actor: ConnectionActor, call: NotedCall) => Promise<void> = async () =>
      undefined,
  ) {}

  /** Lets a tool begin to read what a call of this form will need; the call itself checks everything. */
  begin(name: unknown, given: unknown): void {
    const tool = this.registry.find(String(name));
    if (!tool?.begin || this.registry.closedBy(tool) || !isObject(given)) return;
    const reasoned = takeReasoning(tool, given, this.registry.reasoningMode);
    const { input, misfits, missing } = checkArguments(tool, reasoned.given);
    if (misfits.length + missing.length === 0) tool.begin(input);
  }

  /** @throws ProtocolError -32602 for an unknown tool; every other refusal is a result. */
  async call(caller: Caller, name: string, given: Readonly<Record<string, unknown>>): Promise<ToolResult> {
    const tool = this.registry.find(name);
    if (!tool) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}`);
    }
    const end = this.metrics.toolDuration.startTimer({ tool: orderedAs(tool) });
    const taken = takeReasoning(tool, given, this.registry.reasoningMode);
    let outcome: NotedCall['outcome'] = 'failed';
    let result: object | null = null;
    let letIn: string | null = null;
    try {
      letIn = await this.letIn(tool, caller);
      result = await this.checkAndRun(tool, caller, letIn, taken);
      outcome = 'success';
      return success(result);
    } catch (error) {
      if (error instanceof DomainError) {
        outcome = 'refused';
        return refusalOf(tool, error);
      }
      return refusalText(this.fault(tool, error));
    } finally {
      end();
      this.metrics.toolCalls.inc({ tool: orderedAs(tool), name, outcome });
      if (letIn !== null) {
        await this.note(caller.actor, { tool, nameUsed: name, projectId: letIn, outcome, taken, result });
      }
    }
  }

  /** The project of the call, when the flags and the role of the caller allow the tool there. */
  private async letIn(tool: ToolDefinition, caller: Caller): Promise<string> {
    const closed = this.registry.closedBy(tool);
    if (closed) throw new DomainError('switched-off', 'switched_off', this.flags.refusal(closed));
    const { actor } = caller;
    const { projectId } = actor;
    if (projectId === null) {
      throw new DomainError(
        'conflict',
        'no_project',
        caller.projectRefusal ?? 'The request names no project.',
      );
    }
    if (!(await this.access.can(actor, projectId, tool.level))) {
      if (tool.level !== 'read' && (await this.access.can(actor, projectId, 'read'))) {
        throw new DomainError('forbidden', 'forbidden', refusalOfLevel(tool.level));
      }
      throw new DomainError('not-found', 'not_found', 'Project not found or not accessible.');
    }
    return projectId;
  }

  private async checkAndRun(
    tool: ToolDefinition,
    caller: Caller,
    projectId: string,
    taken: WithoutReasoning,
  ): Promise<object> {
    const { actor } = caller;
    await this.heard(actor);
    const checked = checkArguments(tool, taken.given);
    const { input } = checked;
    const problems = [...checked.misfits, ...checked.missing];
    if (taken.refusal !== null) throw wrongReasoning(taken.refusal, problems);
    const call: ToolCall = {
      actor,
      projectId,
      conversation: caller.conversation ?? null,
      figmaToken: caller.figmaToken ?? null,
      gone: caller.gone,
      progress: tool.reportsProgress ? caller.progress : undefined,
      textOf: (argument) => textOf(argument, taken.given[argument], caller),
    };
    if (problems.length > 0) throw await everythingWrong(tool, call, checked);
    const run = () => notingSavedChanges(() => this.withinLimit(() => tool.handle(call, input)));
    if (caller.requestId === null || tool.level === 'read') return run();
    return this.once(tool, caller.requestId, actor, projectId, input, run);
  }

  /** A record that cannot be written is a loss, but no reason to call a done thing failed. */
  private async note(actor: ConnectionActor, call: NotedCall): Promise<void> {
    if (!call.tool.reasoning) return;
    try {
      await this.noted(actor, call);
    } catch (error) {
      this.logger.error({ msg: 'A tool call could not be recorded', tool: call.tool.name, err: error });
    }
  }

  private async once(
    tool: ToolDefinition,
    requestId: string,
    actor: ConnectionActor,
    projectId: string,
    input: unknown,
    run: () => Promise<object>,
  ): Promise<object> {
    if (!isUuid(requestId)) {
      throw new DomainError(
        'invalid',
        'invalid_request_id',
        'The header Loupe-Request-Id must be a UUID. Send a fresh one with each new call, and the same one with a repeat.',
      );
    }
    const { result } = await this.results.once(
      {
        principal: `connection:${actor.connectionId}`,
        projectId,
        requestId: requestId.toLowerCase(),
        operation: tool.name,
        argumentsHash: hashOfArguments(input),
      },
      run,
    );
    return result;
  }

  /** Cuts off what takes too long; its transaction can then no longer commit. */
  private async withinLimit<T>(work: () => Promise<T>): Promise<T> {
    const cut = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const seconds = Math.round(this.limitMs / 1000);
        const late = `The call took longer than ${seconds} seconds and was cut off.`;
        const error = hasSavedChange()
          ? new DomainError(
              'unavailable',
              OUTCOME_UNKNOWN,
              `${late} It had saved something. Look what is there before you try again.`,
            )
          : new DomainError(
              'unavailable',
              'timed_out',
              `${late} Nothing was changed. Try again, with less at once if you can.`,
            );
        cut.abort(error);
        reject(error);
      }, this.limitMs);
    });
    try {
      return await Promise.race([withDeadline(cut.signal, work), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  private fault(tool: ToolDefinition, error: unknown): string {
    const traceId = requestFacts()?.traceId ?? randomUUID();
    this.logger.error({ msg: 'A tool call failed', traceId, tool: tool.name, err: error });
    return tool.failure
      ? `${tool.failure} Reference: ${traceId}`
      : `Something went wrong on the server. Reference: ${traceId}`;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function success(result: object): ToolResult {
  if (result instanceof ToolContent) {
    const { blocks, structured } = result;
    return {
      content: blocks,
      ...(structured ? { structuredContent: structured as Record<string, unknown> } : {}),
    };
  }
  return {
    content: [{ type: 'text', text: JSON.stringify(result) }],
    structuredContent: result as Record<string, unknown>,
  };
}

function textOf(argument: string, value: unknown, caller: Caller): string | null {
  if (value === undefined) return null;
  const written = caller.bodyText ? argumentText(caller.bodyText(), argument) : null;
  return written ?? JSON.stringify(value);
}

/**
 * What the use case finds wrong with the arguments that passed, together with what is wrong already. It runs as a call
 * whose time is up: it stops after its own checks, and could keep nothing if it did not.
 */
async function everythingWrong(
  tool: ToolDefinition,
  call: ToolCall,
  { input, misfits, missing }: CheckedArguments,
): Promise<InvalidInput> {
  const refusal = new InvalidInput([...misfits, ...missing]);
  if (!tool.checksArguments) return refusal;
  try {
    await withDeadline(AbortSignal.abort(refusal), () => tool.handle(call, input));
  } catch (error) {
    if (error instanceof InvalidInput && error !== refusal) {
      // Of what is missing the use case speaks in its own words, where it has some.
      const answered = rootsOf(misfits).concat(
        missing.map(({ argument }) => tool.secondNames?.[argument] ?? ''),
      );
      const further = error.problems.filter(({ argument }) => !answered.includes(rootOf(argument)));
      const left = missing.filter(({ argument }) => !rootsOf(further).includes(argument));
      return new InvalidInput([...misfits, ...left, ...further]);
    }
  }
  return refusal;
}

function rootsOf(problems: readonly Problem[]): string[] {
  return problems.map(({ argument }) => rootOf(argument));
}

/** `origins` of `origins[2]`. */
function rootOf(argument: string): string {
  return argument.split(/[.[]/, 1)[0]!;
}

/** The sentence stands alone, or below everything else that is wrong. */
function wrongReasoning(sentence: string, others: readonly Problem[]): DomainError {
  const lines = [...others.map((problem) => `${problem.argument}: ${problem.sentence}`), sentence];
  return new DomainError('invalid', 'invalid', lines.join('\n'), {
    facts: { argument: others[0]?.argument ?? REASONING_ARGUMENT },
  });
}
