import type { Thread, TypedArtifactFacts } from '../../domain/typed-artifact.js';

/** Names one conversation: the key alone reaches nothing. */
export interface ThreadKey {
  readonly projectId: string;
  readonly personId: string;
  /** As the client sent it, 1–100 of `A-Z a-z 0-9 . _ : -`. */
  readonly sessionKey: string;
}

export interface NewThread extends ThreadKey {
  readonly id: string;
  readonly clientName: string | null;
  readonly at: Date;
}

export interface NewTypedArtifact extends Omit<TypedArtifactFacts, 'id'> {
  readonly projectId: string;
  readonly createdBy: string;
  /** JSON as it was sent. */
  readonly payload: string;
}

/** Where typed artifacts and their conversations are kept. */
export abstract class TypedArtifacts {
  /** The conversation of a key, made when it is new, locked until the end of the transaction. */
  abstract lockThread(thread: NewThread): Promise<Thread>;
  /** Stores it under the next number of the project; null when the project is full. The thread must be locked. */
  abstract add(artifact: NewTypedArtifact): Promise<number | null>;
  /** Takes one out of its project and of its conversation; null when there is none. */
  abstract remove(
    projectId: string,
    id: number,
  ): Promise<{ readonly threadId: string; readonly type: string } | null>;
  /** Everything of a project, in batches. */
  abstract purgeProject(projectId: string): Promise<void>;
  /** What the person made stays, without them. */
  abstract forgetPerson(personId: string): Promise<void>;
}
