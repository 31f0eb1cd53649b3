/** The exit codes of every command (`cli.md` 2). */
export const ExitCode = {
  done: 0,
  failed: 1,
  wrongUse: 2,
  notSignedIn: 3,
  noProject: 4,
  unreachable: 5,
  versionMismatch: 6,
  partly: 7,
  locked: 8,
  interrupted: 130,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
