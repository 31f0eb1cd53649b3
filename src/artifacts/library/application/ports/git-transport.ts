import type { Readable } from 'node:stream';
import type { TreeFile } from './git-repositories.js';

export type GitService = 'git-upload-pack' | 'git-receive-pack';

/** One request of the smart HTTP protocol, with nothing of the client's own spelling in it. */
export interface GitRequest {
  readonly artifactId: string;
  readonly service: GitService;
  /** The first of the two requests of a service: what refs there are. */
  readonly advertise: boolean;
  /** Ends up in the environment of the process, for its logs alone. */
  readonly tokenId: string;
  readonly contentType: string | null;
  readonly contentEncoding: string | null;
  /** As sent; used only when it is a known version. */
  readonly protocol: string | null;
  readonly body: Readable | null;
}

export interface GitResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Readable;
}

export interface RefUpdate {
  readonly ref: string;
  /** Null when the ref is new. */
  readonly from: string | null;
  /** Null when the ref goes. */
  readonly to: string | null;
}

/** Commits that a push brought and that are not yet in the repository. */
export interface PushedCommits {
  /** Files of a commit in path order. */
  tree(revision: string): Promise<TreeFile[]>;
  /** Contents one after another, in the order asked for; each is read to its end before the next. */
  contents(oids: readonly string[]): AsyncIterable<{ readonly oid: string; readonly content: Readable }>;
  /** False too when either is no commit. */
  isAncestor(older: string, newer: string): Promise<boolean>;
  message(revision: string): Promise<string>;
  /** Names of the refs that are there now, `refs/loupe` left out. */
  refs(): Promise<string[]>;
  /** Bytes on disk of the repository with what was pushed. */
  bytes(): Promise<number>;
}

/** Decides about a push and hears of its end. Lines of both reach the person at the other end. */
export interface PushGate {
  /** Before any ref moves. @throws DomainError whose message refuses the whole push. */
  review(updates: readonly RefUpdate[], commits: PushedCommits): Promise<readonly string[]>;
  /** After the refs in `updates` moved. */
  moved(updates: readonly RefUpdate[]): Promise<readonly string[]>;
}

/** The real git behind an HTTP request. */
export abstract class GitTransport {
  /**
   * The response begins before the process ends; its body ends with it, or after 120 s.
   * @param gate for pushes.
   * @throws DomainError `unavailable` with `retryAfterSeconds` when 8 requests run already, or where git is missing.
   */
  abstract serve(request: GitRequest, gate?: PushGate): Promise<GitResponse>;
}
