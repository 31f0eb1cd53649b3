import type { AuditEntry } from '#libs/kernel/ports/audit.js';
import type { WithoutReasoning } from './reasoning.js';
import { type CallSubject, ToolContent, type ToolDefinition } from './tool-definition.js';
import { orderedAs } from './tool-registry.js';

/** What happened, for the log. */
export interface NotedCall {
  readonly tool: ToolDefinition;
  /** The name that the client used, which may be a compatibility name. */
  readonly nameUsed: string;
  readonly projectId: string;
  readonly outcome: 'success' | 'refused' | 'failed';
  readonly taken: WithoutReasoning;
  /** What the tool answered; null when it was refused. */
  readonly result: object | null;
}

/** Bytes that the text of a record may have as JSON: a record holds 4 KB, with names and ids beside the text. */
const TEXT_BYTES = 3_600;

/**
 * The audit record of a call of a tool that takes reasons (`artifacts.md` 2.1). Calls without anything to say, no
 * reason and no other name, have none: most of them are reads, which the log does not list.
 */
export function recordOf(call: NotedCall): AuditEntry | null {
  const { tool, nameUsed, taken } = call;
  if (!tool.reasoning || (taken.text === null && !taken.missing && nameUsed === tool.name)) return null;
  const subject = subjectOf(call);
  return {
    operation: 'mcp.tool_called',
    outcome: call.outcome,
    projectId: call.projectId,
    ...(subject ? { subjectType: subject.type, subjectId: subject.id } : {}),
    context: {
      tool: orderedAs(tool),
      name: nameUsed,
      ...(taken.text === null ? {} : { reasoning: fitting(taken.text) }),
      ...(taken.missing ? { reasoningMissing: true } : {}),
    },
  };
}

function subjectOf({ tool, taken, result }: NotedCall): CallSubject | null {
  const answer = result instanceof ToolContent ? result.structured : result;
  const subject = tool.subjectOf
    ? tool.subjectOf(taken.given, answer ?? null)
    : artifactOf(taken.given, answer ?? null);
  return subject === null ? null : { type: subject.type, id: subject.id.slice(0, 100).replaceAll('\0', '') };
}

function artifactOf(input: Readonly<Record<string, unknown>>, answer: object | null): CallSubject | null {
  const named = answer as { readonly artifactId?: unknown } | null;
  const id = input.artifactId ?? input.sessionId ?? named?.artifactId;
  return typeof id === 'string' ? { type: 'artifact', id } : null;
}

function fitting(text: string): string {
  let kept = text;
  while (Buffer.byteLength(JSON.stringify(kept)) > TEXT_BYTES) {
    kept = [...kept].slice(0, Math.floor([...kept].length * 0.9)).join('');
  }
  return kept;
}
