/** The git of the server. */
export abstract class GitInstallation {
  /** Such as `2.39.5`; null when none is installed. */
  abstract version(): Promise<string | null>;
  /** Commits that no version holds and that were kept aside, in all repositories; null when they cannot be counted. */
  abstract orphans(): Promise<number | null>;
}
