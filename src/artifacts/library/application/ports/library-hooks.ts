/** A card as artifacts show it. */
export interface CardFact {
  readonly cardId: string;
  readonly number: number;
  readonly title: string;
}

/** Served by the board: what linked cards are called. Cards of other projects and deleted ones are left out. */
export abstract class CardFacts {
  abstract byIds(projectId: string, cardIds: readonly string[]): Promise<Map<string, CardFact>>;
  abstract byNumbers(projectId: string, numbers: readonly number[]): Promise<Map<number, CardFact>>;
}

/** An artifact that is live. */
export interface PublishedFact {
  readonly liveUrl: string;
  readonly version: number;
}

/** Served by the area that publishes. */
export abstract class PublishedArtifacts {
  /** Those of them that are published now. */
  abstract of(artifactIds: readonly string[]): Promise<Map<string, PublishedFact>>;
  /** Why an admin took the live page of an artifact down; null where none did, or where it is live again. */
  abstract takenDownReason(artifactId: string): Promise<string | null>;
}

/** Served by workers: whether a session belongs to a run that a bridge started. */
export abstract class WorkerSessionFacts {
  abstract isWorkerSession(sessionId: string): Promise<boolean>;
}

/** A generation as pages of the library show it. */
export interface GenerationFact {
  readonly jobId: string;
  readonly type: 'p2c' | 'l2c' | 'f2c';
  readonly generator: string;
  readonly state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
  readonly progress: number;
  readonly error: string | null;
  readonly notes: readonly string[];
}

export interface FailedGenerationFact {
  readonly artifactId: string;
  readonly projectId: string;
  readonly type: 'p2c' | 'l2c' | 'f2c';
  readonly error: string;
  readonly at: Date;
}

/** The generators of a type in the order in which they are tried. */
export interface GeneratorOrderFact {
  readonly type: 'p2c' | 'l2c' | 'f2c';
  readonly order: readonly string[];
  readonly available: readonly {
    readonly key: string;
    readonly available: boolean;
    readonly why: string | null;
  }[];
}

/** Served by the area that generates. */
export abstract class GenerationFacts {
  /** The latest job of an artifact, or null when it was never generated. */
  abstract of(artifactId: string): Promise<GenerationFact | null>;
  /** The latest failures of the instance, newest first. */
  abstract failed(limit: number): Promise<FailedGenerationFact[]>;
  abstract generators(): Promise<GeneratorOrderFact[]>;
}

/**
 * Where those who know more register at the start of the process. Until then there are no cards, nothing is published
 * and no session is a worker's.
 */
export class LibraryHooks {
  private cardFacts: CardFacts | null = null;
  private publishedArtifacts: PublishedArtifacts | null = null;
  private workerSessions: WorkerSessionFacts | null = null;
  private generations: GenerationFacts | null = null;

  serveCardFacts(served: CardFacts): void {
    this.cardFacts = served;
  }

  servePublishedArtifacts(served: PublishedArtifacts): void {
    this.publishedArtifacts = served;
  }

  serveWorkerSessions(served: WorkerSessionFacts): void {
    this.workerSessions = served;
  }

  serveGenerations(served: GenerationFacts): void {
    this.generations = served;
  }

  async generationOf(artifactId: string): Promise<GenerationFact | null> {
    return (await this.generations?.of(artifactId)) ?? null;
  }

  async failedGenerations(limit: number): Promise<FailedGenerationFact[]> {
    return (await this.generations?.failed(limit)) ?? [];
  }

  async generators(): Promise<GeneratorOrderFact[]> {
    return (await this.generations?.generators()) ?? [];
  }

  async cardsByIds(projectId: string, cardIds: readonly string[]): Promise<Map<string, CardFact>> {
    if (cardIds.length === 0 || !this.cardFacts) return new Map();
    return this.cardFacts.byIds(projectId, cardIds);
  }

  async cardsByNumbers(projectId: string, numbers: readonly number[]): Promise<Map<number, CardFact>> {
    if (numbers.length === 0 || !this.cardFacts) return new Map();
    return this.cardFacts.byNumbers(projectId, numbers);
  }

  async published(artifactIds: readonly string[]): Promise<Map<string, PublishedFact>> {
    if (artifactIds.length === 0 || !this.publishedArtifacts) return new Map();
    return this.publishedArtifacts.of(artifactIds);
  }

  async takenDownReason(artifactId: string): Promise<string | null> {
    return (await this.publishedArtifacts?.takenDownReason(artifactId)) ?? null;
  }

  async isWorkerSession(sessionId: string | null): Promise<boolean> {
    return sessionId !== null && (await this.workerSessions?.isWorkerSession(sessionId)) === true;
  }
}
