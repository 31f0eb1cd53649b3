import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';
import { PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import type { Verdict } from '../../domain/verdict.js';
import { People } from '../people.js';
import { verdictAnswer } from '../verdict-answers.js';
import { DocumentReader, type VersionHead } from './document-reader.js';

/** The history of a document, newest version first. @throws DomainError `not-found`. */
@Injectable()
export class ListVersions {
  constructor(
    private readonly access: ProjectAccess,
    private readonly reader: DocumentReader,
    private readonly directory: PersonDirectory,
    private readonly database: Database,
  ) {}

  async execute(actor: Actor, input: { readonly projectId: string; readonly documentId: string }) {
    await this.access.require(actor, input.projectId, 'read');
    const { id } = await this.reader.head(input.projectId, input.documentId);
    const versions = await this.database.query<VersionHead>(
      `SELECT id, number, description, author_kind AS "authorKind", author_user_id AS "authorUserId",
              created_at AS "createdAt", carried, orphaned
       FROM documents.document_version WHERE document_id = $1 ORDER BY number DESC`,
      [id],
    );
    const verdicts = await this.database.query<Verdict & { noteHtml: string | null }>(
      `SELECT v.id, v.document_version_id AS "versionId", v.verdict, v.note, v.note_html AS "noteHtml",
              v.reviewer_user_id AS "reviewerUserId", v.submitted_at AS "submittedAt", v.withdrawn_at AS "withdrawnAt"
       FROM documents.verdict v JOIN documents.document_version dv ON dv.id = v.document_version_id
       WHERE dv.document_id = $1 ORDER BY v.submitted_at DESC, v.id DESC`,
      [id],
    );
    const people = await People.of(this.directory, [
      ...versions.map((version) => version.authorUserId),
      ...verdicts.map((verdict) => verdict.reviewerUserId),
    ]);
    const reader = personIdOf(actor);
    return {
      versions: versions.map((version) => {
        const { kind, name } = people.author(version.authorKind, version.authorUserId);
        return {
          number: version.number,
          createdAt: version.createdAt.toISOString(),
          author: { kind, name },
          description: version.description,
          carried: version.carried,
          orphaned: version.orphaned,
          verdicts: verdicts
            .filter((verdict) => verdict.versionId === version.id)
            .map((verdict) => ({
              ...verdictAnswer(verdict, verdict.noteHtml, people, reader),
              withdrawnAt: verdict.withdrawnAt?.toISOString() ?? null,
            })),
        };
      }),
    };
  }
}
