import type { Problems } from '#libs/kernel/errors.js';
import { cleanText } from '#libs/kernel/text.js';
import { AGENT_ACCESS, type AgentAccess, WORKSPACE_NAME_MAX } from '../domain/workspace.js';

/** One line that is not blank. What is wrong with it is added to `problems`. */
export function readWorkspaceName(problems: Problems, given: string | null | undefined): string {
  return cleanText(problems, 'name', given ?? '', { max: WORKSPACE_NAME_MAX, required: true, oneLine: true });
}

/** What agents may do in a workspace. What is wrong with it is added to `problems`. */
export function readAgentAccess(problems: Problems, given: string): AgentAccess {
  const known = AGENT_ACCESS.find((each) => each === given);
  if (!known) problems.add('agentAccess', `must be one of ${AGENT_ACCESS.join(', ')}`);
  return known ?? 'write';
}
