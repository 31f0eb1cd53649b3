import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import type { ConnectionActor } from '#libs/kernel/actor.js';
import { DomainError } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { Database } from '#libs/persistence/database.js';

export interface ResolvedProject {
  readonly projectId: string | null;
  /** What a tool call answers while no project is named; null when there is one. */
  readonly refusal: string | null;
}

/** Connection and project of the uses that this process has written, with the time in milliseconds. */
const WRITE_MS = 60_000;
const REMEMBERED_MAX = 10_000;

/** Which project a request is about (`identity.md` 6.3): the bound one, the one that the header names, or the only one. */
@Injectable()
export class ResolveRequestProject {
  private readonly written = new Map<string, number>();

  constructor(
    private readonly configuration: Configuration,
    private readonly access: ProjectAccess,
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly live: LiveUpdates,
  ) {}

  /**
   * `header` is the value of `Loupe-Project-Id`, null when it was not sent.
   * @throws DomainError `invalid_project` (400 at the door of `/mcp`) or `project_not_covered` (403).
   */
  async execute(actor: ConnectionActor, header: string | null): Promise<ResolvedProject> {
    const resolved = await this.resolve(actor, header);
    if (resolved.projectId) await this.noteUse(actor.connectionId, resolved.projectId);
    return resolved;
  }

  private async resolve(actor: ConnectionActor, header: string | null): Promise<ResolvedProject> {
    const named = header?.trim() || null;
    if (actor.boundProjectId !== null) {
      if (named !== null && named.toLowerCase() !== actor.boundProjectId) throw notCovered(named);
      return { projectId: actor.boundProjectId, refusal: null };
    }
    if (named !== null) {
      if (!isUuid(named)) {
        throw new DomainError(
          'invalid',
          'invalid_project',
          'The header Loupe-Project-Id must be the UUID of a project. Check .loupe.yaml, or run `loupe project link`.',
        );
      }
      const projectId = named.toLowerCase();
      if (!(await this.access.can(actor, projectId, 'read'))) throw notCovered(projectId);
      return { projectId, refusal: null };
    }
    const projects = await this.access.projectsOf(actor.personId, 'read');
    if (projects.length === 1) return { projectId: projects[0]!.id, refusal: null };
    return {
      projectId: null,
      refusal:
        projects.length === 0
          ? `You have no project yet. Create one at ${this.configuration.url('/projects/new')}.`
          : `This login covers ${projects.length} projects and the request names none. Run \`loupe project link\` in the repository to choose one.`,
    };
  }

  /** At most one write a minute for each connection and project. */
  private async noteUse(connectionId: string, projectId: string): Promise<void> {
    const key = `${connectionId} ${projectId}`;
    const now = Date.now();
    if (now - (this.written.get(key) ?? 0) < WRITE_MS) return;
    if (this.written.size >= REMEMBERED_MAX) this.written.clear();
    this.written.set(key, now);
    await this.unitOfWork.run(async () => {
      const [use] = await this.database.query<{ is_first: boolean }>(
        `INSERT INTO identity.connection_project_uses (connection_id, project_id, first_used_at, last_used_at)
         SELECT id, $2, now(), now() FROM identity.connections WHERE id = $1
         ON CONFLICT (connection_id, project_id) DO UPDATE SET last_used_at = now()
         WHERE connection_project_uses.last_used_at < now() - interval '1 minute'
         RETURNING first_used_at = last_used_at AS is_first`,
        [connectionId, projectId],
      );
      // The Connect page waits for it.
      if (use?.is_first)
        await this.live.publish(`project:${projectId}:connect`, { type: 'used', subjectId: connectionId });
    });
  }
}

function notCovered(id: string): DomainError {
  // The value is echoed, so it is cut to what an id can look like.
  const shown = id.replace(/[^\w.:-]/g, '').slice(0, 64);
  return new DomainError(
    'forbidden',
    'project_not_covered',
    `This login does not cover the project ${shown}. Check .loupe.yaml, or run \`loupe project link\`.`,
  );
}
