import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { notFound } from '#libs/kernel/errors.js';
import { Database } from '#libs/persistence/database.js';
import { GetThread } from './get-thread.js';
import type { ThreadAnswer } from './thread-answers.js';

/**
 * The newest copy of a thread, for links that name it by the id it had on an older version.
 * @throws DomainError `not-found`.
 */
@Injectable()
export class GetCurrentThread {
  constructor(
    private readonly database: Database,
    private readonly getThread: GetThread,
  ) {}

  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly documentId: string; readonly commentId: string },
  ): Promise<ThreadAnswer & { readonly version: number }> {
    // Answers first whether the reader may see it at all.
    const named = await this.getThread.execute(actor, input);
    const newest = await this.database.one<{ id: string; version: number }>(
      `WITH RECURSIVE copies AS (
         SELECT id, document_version_id FROM documents.comment WHERE id = $1
         UNION ALL
         SELECT c.id, c.document_version_id FROM documents.comment c JOIN copies ON c.carried_from_id = copies.id
       )
       SELECT copies.id, v.number AS version FROM copies JOIN documents.document_version v ON v.id = copies.document_version_id
       ORDER BY v.number DESC LIMIT 1`,
      [named.id],
    );
    // It was there a moment ago: only deleting it for good takes it away.
    if (!newest) throw notFound('Comment');
    const thread =
      newest.id === named.id
        ? named
        : await this.getThread.execute(actor, { ...input, commentId: newest.id });
    return { ...thread, version: newest.version };
  }
}
