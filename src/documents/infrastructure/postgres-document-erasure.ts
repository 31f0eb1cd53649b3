import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { DocumentErasure } from '../application/ports/document-erasure.js';

/** Documents of one statement; each takes all its versions and comments along. */
const BATCH = 100;

@Injectable()
export class PostgresDocumentErasure extends DocumentErasure {
  constructor(private readonly database: Database) {
    super();
  }

  override async purgeProject(projectId: string): Promise<void> {
    // The counts go as well, so nobody needs them stepped down once for each document.
    await this.database.query("SELECT set_config('documents.counting', 'off', true)");
    for (let removed = BATCH; removed === BATCH; ) {
      const rows = await this.database.query(
        `DELETE FROM documents.document WHERE id IN
           (SELECT id FROM documents.document WHERE project_id = $1 LIMIT ${BATCH}) RETURNING 1`,
        [projectId],
      );
      removed = rows.length;
    }
    await this.database.query('DELETE FROM documents.series WHERE project_id = $1', [projectId]);
    await this.database.query('DELETE FROM documents.tag WHERE project_id = $1', [projectId]);
    await this.database.query('DELETE FROM documents.document_count WHERE project_id = $1', [projectId]);
  }

  override async forgetPerson(personId: string): Promise<void> {
    for (const [table, column] of [
      ['document', 'created_by_user_id'],
      ['document_version', 'author_user_id'],
      ['comment', 'author_user_id'],
      ['comment', 'deleted_by_user_id'],
      ['verdict', 'reviewer_user_id'],
      ['verdict', 'withdrawn_by_user_id'],
      ['decision_answer', 'updated_by_user_id'],
    ]) {
      await this.database.query(`UPDATE documents.${table} SET ${column} = NULL WHERE ${column} = $1`, [
        personId,
      ]);
    }
    await this.database.query('DELETE FROM documents.section_approval WHERE user_id = $1', [personId]);
    await this.database.query('DELETE FROM documents.reader_mark WHERE user_id = $1', [personId]);
  }
}
