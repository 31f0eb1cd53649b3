import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { conflict, InvalidInput, notFound, Problems } from '#libs/kernel/errors.js';
import { Ids, isUuid } from '#libs/kernel/ids.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { cleanText } from '#libs/kernel/text.js';
import { DEFAULT_NAME, NAME_MAX } from '../../domain/creation-request.js';
import {
  type ListedFile,
  PUSH_BATCH,
  type PushManifest,
  readManifest,
  typeOfPush,
} from '../../domain/push-manifest.js';
import { artifactArchived, overLimit } from '../../domain/refusals.js';
import { NOTES_MAX } from '../../domain/texts.js';
import { ArtifactDirectory } from '../ports/artifact-directory.js';
import { LibraryHooks } from '../ports/library-hooks.js';
import { Pushes, type PushRequest } from '../ports/pushes.js';
import { Shelves } from '../ports/shelves.js';
import { WorkspaceChoice } from '../ports/workspace-choice.js';
import { Workspaces } from '../ports/workspaces.js';
import { RefusalRecords } from '../refusal-records.js';
import { WorkerDoor } from '../worker-door.js';

const HOUR_MS = 3_600_000;
const CARDS_MAX = 20;

export interface StartPushInput {
  readonly projectId: string;
  /** Adds a version to this artifact; without it a new one is made. */
  readonly artifactId?: string | null;
  readonly name?: string | null;
  /** Id or name of a workspace, for a new artifact. */
  readonly workspaceId?: string | null;
  readonly notes?: string | null;
  readonly entryPath?: string | null;
  readonly cardNumbers?: readonly number[] | null;
  readonly files: readonly ListedFile[];
}

export interface StartedPush {
  readonly pushId: string;
  /** Hashes whose bytes are to be sent before the commit. */
  readonly missing: readonly string[];
  /** How much of it one request may bring. */
  readonly batch: typeof PUSH_BATCH;
  readonly expiresAt: Date;
}

/**
 * The first step of a push: what is to be stored, against what the project holds already. A hash that only other projects
 * hold counts as missing, so that the answer tells nothing about them.
 * @throws InvalidInput, DomainError `not-found`, `forbidden`, `conflict` `archived` or `limit`.
 */
@Injectable()
export class StartPush {
  constructor(
    private readonly access: ProjectAccess,
    private readonly workers: WorkerDoor,
    private readonly directory: ArtifactDirectory,
    private readonly workspaces: WorkspaceChoice,
    private readonly allWorkspaces: Workspaces,
    private readonly hooks: LibraryHooks,
    private readonly shelves: Shelves,
    private readonly pushes: Pushes,
    private readonly flags: Flags,
    private readonly unitOfWork: UnitOfWork,
    private readonly refusals: RefusalRecords,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  execute(actor: Actor, input: StartPushInput): Promise<StartedPush> {
    const attempt = {
      operation: 'artifact.version_stored',
      projectId: input.projectId,
      artifactId: input.artifactId ?? undefined,
    };
    return this.refusals.around(actor, attempt, () => this.run(actor, input));
  }

  private async run(actor: Actor, input: StartPushInput): Promise<StartedPush> {
    const { projectId } = input;
    await this.access.require(actor, projectId, 'contribute');
    await this.workers.refuseWorkers(actor);
    const personId = personIdOf(actor);
    if (personId === null) throw notFound('Project');
    const problems = new Problems();
    const manifest = readManifest(problems, input.files);
    const notes = cleanText(problems, 'notes', input.notes ?? '', { max: NOTES_MAX });
    const entryPath = readEntry(problems, input.entryPath ?? null, manifest);
    const cardIds = await this.cardsOf(problems, projectId, input.cardNumbers ?? []);
    const name = cleanText(problems, 'name', input.name ?? '', { max: NAME_MAX, oneLine: true });
    problems.throwIfAny();
    const target = await this.targetOf(actor, input, manifest, name === '' ? DEFAULT_NAME : name);
    this.checkLimits(manifest);
    const now = this.clock.now();
    const push = {
      id: this.ids.next(),
      projectId,
      personId,
      request: { target, notes, entryPath, cardIds, ...manifest },
      expiresAt: new Date(now.getTime() + HOUR_MS),
    };
    const hashes = [...new Set(manifest.files.map(({ sha256 }) => sha256))];
    const held = await this.unitOfWork.run(async () => {
      await this.pushes.add(push, now);
      return this.shelves.held(projectId, hashes);
    });
    return {
      pushId: push.id,
      missing: hashes.filter((hash) => !held.has(hash)),
      batch: PUSH_BATCH,
      expiresAt: push.expiresAt,
    };
  }

  private async targetOf(
    actor: Actor,
    input: StartPushInput,
    { files }: PushManifest,
    name: string,
  ): Promise<PushRequest['target']> {
    const { projectId } = input;
    if (input.artifactId) {
      const artifact = await this.directory.require(actor, input.artifactId, 'write', projectId);
      if (artifact.archived) throw artifactArchived();
      if (artifact.artifactType === 'asset')
        throw conflict('no_repository', 'An asset is one file and is not pushed. Make another artifact.');
      return { artifactId: artifact.artifactId };
    }
    const artifactType = typeOfPush(files);
    if (artifactType === null) {
      throw new InvalidInput([
        { argument: 'files', sentence: 'Nothing to show: the folder holds no .html and no .md file.' },
      ]);
    }
    const named = await this.workspaceNamed(projectId, input.workspaceId ?? null);
    const workspaceId = await this.workspaces.choose(actor, projectId, named);
    return { name, workspaceId, artifactType };
  }

  /** An id as it is, or the id of the workspace of that name. */
  private async workspaceNamed(projectId: string, given: string | null): Promise<string | undefined> {
    const text = given?.trim() ?? '';
    if (text === '') return undefined;
    const isId: boolean = isUuid(text);
    if (isId) return text;
    const wanted = text.toLowerCase();
    const all = await this.allWorkspaces.ofProject(projectId);
    const found = all.find(({ state }) => state.name.toLowerCase() === wanted);
    // A name that is unknown goes on, so that the refusal is the same as that of an unknown id.
    return found?.id ?? wanted;
  }

  private async cardsOf(
    problems: Problems,
    projectId: string,
    numbers: readonly number[],
  ): Promise<string[]> {
    const wanted = [...new Set(numbers)];
    if (wanted.length > CARDS_MAX) {
      problems.add('cardNumbers', `cardNumbers holds ${wanted.length} cards; the limit is ${CARDS_MAX}.`);
      return [];
    }
    const cards = await this.hooks.cardsByNumbers(projectId, wanted);
    return wanted.flatMap((number) => {
      const card = cards.get(number);
      if (!card)
        problems.add(
          `cardNumbers[${numbers.indexOf(number)}]`,
          `cardNumbers[${numbers.indexOf(number)}] names no card of this project.`,
        );
      return card ? [card.cardId] : [];
    });
  }

  /** What the commit would refuse anyway, before any byte is sent. */
  private checkLimits({ files }: PushManifest): void {
    const filesMax = this.flags.int('artifacts.version_max_files');
    if (files.length > filesMax)
      throw overLimit(`The version has ${files.length} files; the limit is ${filesMax}.`);
    const fileMax = this.flags.int('artifacts.file_max_bytes');
    let total = 0;
    for (const { path, bytes } of files) {
      if (bytes > fileMax)
        throw overLimit(`${path} holds ${bytes} bytes; the limit of one file is ${fileMax}.`);
      total += bytes;
    }
    const max = this.flags.int('artifacts.version_max_bytes');
    if (total > max)
      throw overLimit(`The files hold ${total} bytes together; the limit of one version is ${max}.`);
  }
}

function readEntry(problems: Problems, given: string | null, { files }: PushManifest): string | null {
  if (given === null) return null;
  const path = given.normalize('NFC');
  if (!files.some((file) => file.path === path))
    problems.add('entryPath', `entryPath ${JSON.stringify(path)} is none of the files.`);
  return path;
}
