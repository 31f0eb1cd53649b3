import type { Problems } from '#libs/kernel/errors.js';
import { cleanText } from '#libs/kernel/text.js';
import { AGENT_ACCESS, type AgentAccess, WORKSPACE_NAME_MAX } from '../domain/workspace.js';

export function readWorkspaceName(problems: Problems, given: string | null | undefined): string {
  return cleanText(problems, 'name', given ?? '', { max: WORKSPACE_NAME_MAX, required: true, oneLine: true });
}

export function readAgentAccess(problems: Problems, given: string): AgentAccess {
  const known = AGENT_ACCESS.find((each) => each === given);
  if (!known) problems.add('agentAccess', `must be one of ${AGENT_ACCESS.join(', ')}`);
  return known ?? 'write';
}
