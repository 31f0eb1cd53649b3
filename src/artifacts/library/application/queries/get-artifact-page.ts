import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { type GenerationFact, LibraryHooks } from '../ports/library-hooks.js';
import { ArtifactReader, type ShownVersion } from './artifact-reader.js';
import { type LibraryRow, LibraryRows } from './library-page.js';
import type { VersionLine } from './version-lines.js';

/** Files that a page lists: all that a version may have. */
const FILES_LISTED = 2_000;

export interface GetArtifactPageInput {
  readonly projectId: string;
  readonly artifactId: string;
  readonly version?: number | null;
}

export interface ArtifactPage extends LibraryRow {
  /** Goes back with a change, so that it does not undo that of somebody else. */
  readonly edit: number;
  readonly error: string | null;
  readonly previewUrl: string | null;
  readonly playgroundUrl: string | null;
  readonly liveUrl: string | null;
  /** Why an admin took the live page down. */
  readonly takenDown: string | null;
  readonly versions: readonly VersionLine[];
  readonly version: ShownVersion | null;
  readonly job: GenerationFact | null;
  readonly can: { readonly write: boolean; readonly administer: boolean };
  readonly gitEnabled: boolean;
  readonly publishEnabled: boolean;
  readonly publicLinksEnabled: boolean;
}

/** One artifact as its page in the browser shows it. @throws DomainError `not-found`. */
@Injectable()
export class GetArtifactPage {
  constructor(
    private readonly reader: ArtifactReader,
    private readonly rows: LibraryRows,
    private readonly hooks: LibraryHooks,
    private readonly access: ProjectAccess,
    private readonly flags: Flags,
  ) {}

  async execute(actor: Actor, input: GetArtifactPageInput): Promise<ArtifactPage> {
    const { projectId, artifactId } = input;
    const details = await this.reader.read(actor, input, FILES_LISTED);
    const [row] = await this.rows.of(projectId, [details.row]);
    return {
      ...row!,
      edit: details.row.edit,
      error: details.row.error,
      entryPath: details.version?.entryPath ?? row!.entryPath,
      previewUrl: details.previewUrl,
      playgroundUrl: details.playgroundUrl,
      liveUrl: details.row.liveUrl,
      takenDown: await this.hooks.takenDownReason(artifactId),
      versions: details.versions,
      version: details.version,
      cards: details.cards,
      job: await this.hooks.generationOf(artifactId),
      can: {
        write: await this.access.can(actor, projectId, 'contribute'),
        administer: await this.access.can(actor, projectId, 'administer'),
      },
      gitEnabled: this.flags.isOn('artifacts.git.enabled'),
      publishEnabled: this.flags.isOn('artifacts.publish.enabled'),
      publicLinksEnabled: this.flags.isOn('artifacts.public_links.enabled'),
    };
  }
}
