import { randomUUID } from 'node:crypto';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { Logger } from '@nestjs/common';
import type { ConnectionActor } from '#libs/kernel/actor.js';
import { hashOfArguments } from '#libs/kernel/canonical-json.js';
import { withDeadline } from '#libs/kernel/deadline.js';
import { DomainError, InvalidInput } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { ProjectAccess, refusalOfLevel } from '#libs/kernel/ports/project-access.js';
import { RequestResults } from '#libs/kernel/ports/request-results.js';
import { requestFacts } from '#libs/kernel/request-context.js';
import { Metrics } from '#libs/observability/metrics.js';
import { checkArguments } from './argument-check.js';
import type { ToolDefinition } from './tool-definition.js';
import type { ToolRegistry } from './tool-registry.js';

/** A call is cut off after this time, in milliseconds. */
export const CALL_LIMIT_MS = 60_000;

/** Who calls, on which project, as the door has found out. */
export interface Caller {
  readonly actor: ConnectionActor;
  /** Answers every call while the request names no project; null when it names one. */
  readonly projectRefusal: string | null;
  /** `Loupe-Request-Id` as sent; null when absent. */
  readonly requestId: string | null;
}

/** The result of `tools/call`. */
export interface ToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
  readonly [further: string]: unknown;
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
  ) {}

  /** @throws ProtocolError -32602 for an unknown tool; every other refusal is a result. */
  async call(caller: Caller, name: string, given: Readonly<Record<string, unknown>>): Promise<ToolResult> {
    const tool = this.registry.find(name);
    if (!tool) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}`);
    }
    const end = this.metrics.toolDuration.startTimer({ tool: name });
    let outcome = 'failed';
    try {
      const structured = await this.checkAndRun(tool, caller, given);
      outcome = 'success';
      return success(structured);
    } catch (error) {
      if (error instanceof DomainError) {
        outcome = 'refused';
        return refusal(sentencesOf(error));
      }
      return refusal(this.fault(tool, error));
    } finally {
      end();
      this.metrics.toolCalls.inc({ tool: name, outcome });
    }
  }

  private async checkAndRun(
    tool: ToolDefinition,
    caller: Caller,
    given: Readonly<Record<string, unknown>>,
  ): Promise<object> {
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
    await this.heard(actor);
    const checked = checkArguments(tool, given);
    if ('problems' in checked) throw new InvalidInput(checked.problems);
    const run = () => this.withinLimit(() => tool.handle({ actor, projectId }, checked.input));
    if (caller.requestId === null || tool.level === 'read') return run();
    return this.once(tool, caller.requestId, actor, projectId, checked.input, run);
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
        const error = new DomainError(
          'unavailable',
          'timed_out',
          `The call took longer than ${seconds} seconds and was cut off. Nothing was changed. Try again, with less at once if you can.`,
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

function success(structured: object): ToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(structured) }],
    structuredContent: structured as Record<string, unknown>,
  };
}

function refusal(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** One line a problem, with the argument to fix where there is one. */
function sentencesOf(error: DomainError): string {
  if (error instanceof InvalidInput || error.detail.argument === undefined) return error.message;
  return `${error.detail.argument}: ${error.message}`;
}
