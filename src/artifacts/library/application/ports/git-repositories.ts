import type { Readable } from 'node:stream';
import type { NamedContent } from './artifact-blobs.js';

/** A file of a commit. */
export interface TreeFile {
  readonly path: string;
  readonly bytes: number;
  /** Whether git calls it a regular file; links and submodules are not stored. */
  readonly kind: 'file' | 'link' | 'submodule';
  /** Git's own id of the content. */
  readonly oid: string;
}

/** A commit of the history, without its files. */
export interface LoggedCommit {
  readonly revision: string;
  readonly message: string;
  readonly at: Date;
}

export interface CommitToWrite {
  readonly artifactId: string;
  /** Null for the first commit. */
  readonly parent: string | null;
  readonly message: string;
  readonly at: Date;
  readonly files: readonly { readonly path: string; readonly sha256: string; readonly bytes: number }[];
  /**
   * Paths that the commit drops; then `files` are those that differ from the parent, and all others stay as they are.
   * Without it `files` are the whole commit.
   */
  readonly removed?: readonly string[];
  /** Content of a file of the set. */
  readonly open: (sha256: string) => Promise<Readable>;
  /** The push that contents were staged for: they need not be opened. */
  readonly staged?: string;
}

/** Bare repositories, one an artifact, driven by the real `git`. @throws DomainError `unavailable` where git is missing. */
export abstract class GitRepositories {
  /**
   * Makes contents of a push ready for its commit, while others still arrive. Only saves time: never throws, and `write`
   * opens what is not there. The contents have the hashes that they are named by.
   */
  abstract stage(pushId: string, contents: readonly NamedContent[]): Promise<void>;
  /** Takes away what was staged for pushes that nothing came for since `before`. */
  abstract dropStaged(before: Date): Promise<void>;
  /** Writes the commit with all files under a pending ref. @returns its full id. */
  abstract write(commit: CommitToWrite): Promise<{ readonly revision: string; readonly pendingRef: string }>;
  /** Moves `main` from `from` (null: it must not exist) to `to` and drops the pending ref. False when `main` was elsewhere. */
  abstract advance(
    artifactId: string,
    from: string | null,
    to: string,
    pendingRef: string | null,
  ): Promise<boolean>;
  /** Drops the ref of a write that came to nothing; its objects go with the next collection. */
  abstract dropPending(artifactId: string, pendingRef: string): Promise<void>;
  /** Whether the repository is there and has the commit. */
  abstract holds(artifactId: string, revision: string): Promise<boolean>;
  /** Tip of `main`, or null. */
  abstract head(artifactId: string): Promise<string | null>;
  /** Whether `older` is an ancestor of `newer`. */
  abstract isAncestor(artifactId: string, older: string, newer: string): Promise<boolean>;
  /** Files of a commit in path order. */
  abstract tree(artifactId: string, revision: string): Promise<TreeFile[]>;
  abstract openFile(artifactId: string, oid: string): Promise<Readable>;
  /** Whole message of a commit. */
  abstract message(artifactId: string, revision: string): Promise<string>;
  /** Commits from `tip` backwards along first parents. */
  abstract log(artifactId: string, tip: string, skip: number, limit: number): Promise<LoggedCommit[]>;
  /** Full ids of commits of `tip` that begin so; at most two, which says that it is not the only one. */
  abstract matching(artifactId: string, tip: string, prefix: string): Promise<string[]>;
  /** Keeps a commit that no version holds under `refs/loupe/orphan/`. */
  abstract keepOrphan(artifactId: string, revision: string): Promise<void>;
  /** Packs objects, and drops refs of writes that came to nothing a day ago. The caller holds the lease. */
  abstract tidy(artifactId: string): Promise<void>;
  abstract remove(artifactId: string): Promise<void>;
}
