import type { ReactNode } from 'react';

export interface ConnectHintProps {
  /** The project to choose on the consent page. */
  readonly name: string;
  readonly children?: ReactNode;
}

/** What follows the command: the sign-in, which the agent starts and the browser finishes. */
export function ConnectHint({ name, children }: ConnectHintProps) {
  return (
    <p className="hint">
      The command is for Claude Code. Then type <code>/mcp</code> in it, sign in, and choose{' '}
      <b dir="auto">{name}</b> when Loupe asks. {children}
    </p>
  );
}
