/** What the forge last said of a pull request (`board.md` 3.6). */
export interface PullRequestState {
  readonly state: 'open' | 'merged' | 'closed';
  readonly draft: boolean;
  readonly checks: 'passed' | 'pending' | 'failed' | 'none';
  readonly failedChecks: readonly string[];
  readonly mergeability: 'mergeable' | 'conflicting' | 'behind' | 'blocked' | 'unknown';
  readonly review: 'approved' | 'approval-outdated' | 'changes-requested' | 'required' | 'none';
  readonly readyToMerge: boolean;
  readonly refreshedAt: string;
}

export interface PullRequestKey {
  readonly pullRequestId: string;
  readonly forge: 'github' | 'other';
  readonly repository: string | null;
  readonly number: number | null;
}

/** Served by the forge part of the board. */
export abstract class PullRequestStates {
  /** By id of the link; one that was never read has no entry. */
  abstract of(
    projectId: string,
    links: readonly PullRequestKey[],
  ): Promise<ReadonlyMap<string, PullRequestState>>;
}

/** No forge is connected, so no pull request was ever read. */
export class NoPullRequestStates extends PullRequestStates {
  override async of(): Promise<ReadonlyMap<string, PullRequestState>> {
    return new Map();
  }
}
