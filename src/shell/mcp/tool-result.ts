import type { ContentBlock } from './tool-definition.js';

/** The result of `tools/call`. */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
  readonly [further: string]: unknown;
}
