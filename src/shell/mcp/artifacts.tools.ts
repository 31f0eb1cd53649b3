import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CreateGeneratedArtifact } from '#src/artifacts/generation/application/commands/create-generated-artifact.js';
import { ArchiveArtifact } from '#src/artifacts/library/application/commands/archive-artifact.js';
import { CreateArtifact } from '#src/artifacts/library/application/commands/create-artifact.js';
import { DuplicateArtifact } from '#src/artifacts/library/application/commands/duplicate-artifact.js';
import { EditArtifact } from '#src/artifacts/library/application/commands/edit-artifact.js';
import { MintGitToken } from '#src/artifacts/library/application/commands/mint-git-token.js';
import { ReserveUpload } from '#src/artifacts/library/application/commands/reserve-upload.js';
import { SetArtifactCards } from '#src/artifacts/library/application/commands/set-artifact-cards.js';
import { UnarchiveArtifact } from '#src/artifacts/library/application/commands/unarchive-artifact.js';
import { UpdateMetadata } from '#src/artifacts/library/application/commands/update-metadata.js';
import { artifactIdOf } from '#src/artifacts/library/application/named-artifact.js';
import { ExploreArtifact } from '#src/artifacts/library/application/queries/explore-artifact.js';
import { GetArtifact } from '#src/artifacts/library/application/queries/get-artifact.js';
import { ListArtifacts } from '#src/artifacts/library/application/queries/list-artifacts.js';
import { ListWorkspaces } from '#src/artifacts/library/application/queries/list-workspaces.js';
import {
  ReadArtifactFile,
  type ReadFile,
} from '#src/artifacts/library/application/queries/read-artifact-file.js';
import { id, list, oneOf, paging, text, whole, yesNo } from './arguments.js';
import { byArtifactId, bySessionId } from './artifact-argument.js';
import { type ContentBlock, ToolContent, type ToolDefinition, ToolSource, tool } from './tool-definition.js';

const TYPES = ['app', 'markdown', 'asset'];
const GENERATED = ['p2c', 'l2c', 'f2c'] as const;

const revision = () => text('Commit: full id, prefix of 7 or more, or HEAD').optional();

/** What all of these tools share. */
const shared = {
  flags: ['artifacts.enabled'],
  checksArguments: true,
  reasoning: true,
  refusals: 'coded',
} as const;

const creating = { ...shared, flags: ['artifacts.enabled', 'artifacts.create.enabled'] } as const;

const failure = (what: string) => `The ${what}. The error has been logged.`;

/** Tools that read artifacts; workers have them too. */
@Injectable()
export class ArtifactTools extends ToolSource {
  override readonly tools: readonly ToolDefinition[];

  constructor(
    listArtifacts: ListArtifacts,
    get: GetArtifact,
    read: ReadArtifactFile,
    archive: ArchiveArtifact,
    unarchive: UnarchiveArtifact,
    explore: ExploreArtifact,
    listWorkspaces: ListWorkspaces,
  ) {
    super();
    this.tools = [
      tool({
        ...shared,
        name: 'artifact_list',
        title: 'List artifacts',
        description:
          'Lists the artifacts of the project, newest first: prototypes, apps, Markdown documents, images. Returns ids, names, types, versions, sizes, addresses and hasMore. For files and versions of one use artifact_get; for charts of this conversation artifact_typed_list.',
        level: 'read',
        failure: failure('artifacts could not be listed'),
        input: z.strictObject({
          ...paging(20),
          includeArchived: yesNo('Archived ones too', false).optional(),
          workspaceId: id('Only of this workspace').optional(),
          artifactType: oneOf('Only of this type', TYPES).optional(),
          search: text('Words in name or description', { maxLength: 200 }).optional(),
        }),
        handle: ({ actor, projectId }, input) => listArtifacts.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...shared,
        name: 'artifact_get',
        title: 'Read artifact',
        description:
          'Reads one artifact: facts, all versions with their notes, the files of one version (first 500), linked cards, previewUrl to show to the person. Read its files with artifact_read; list more than 500 with artifact_explore.',
        level: 'read',
        failure: failure('artifact could not be read'),
        secondNames: byArtifactId.second,
        input: z.strictObject({
          ...byArtifactId.names,
          version: whole('Whose files; default the latest', { minimum: 1 }).optional(),
        }),
        handle: ({ actor, projectId }, input) => get.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...shared,
        name: 'artifact_read',
        title: 'Read file of artifact',
        description:
          'Reads one file of a version: texts as text, PNG, JPEG, GIF and WebP as an image. Other binaries are refused. More than 200,000 bytes come in parts: go on with offset. Paths come from artifact_get. To read several files before an edit use artifact_explore.',
        level: 'read',
        failure: failure('file could not be read'),
        secondNames: byArtifactId.second,
        input: z.strictObject({
          ...byArtifactId.names,
          path: text('Exact path'),
          version: whole('Default the latest', { minimum: 1 }).optional(),
          offset: whole('First byte', { minimum: 0, default: 0 }).optional(),
        }),
        begin: (input) => read.begin(input),
        handle: async ({ actor, projectId }, input) =>
          blocksOf(await read.execute(actor, { projectId, ...input })),
      }),
      tool({
        ...shared,
        name: 'artifact_archive',
        title: 'Archive artifact',
        description:
          'Takes an artifact out of the list. Nothing is deleted: reads still work, writes are refused until artifact_unarchive. Returns changed: false when it was archived already.',
        level: 'contribute',
        idempotent: true,
        failure: failure('artifact could not be archived'),
        secondNames: byArtifactId.second,
        input: z.strictObject(byArtifactId.names),
        handle: ({ actor, projectId }, input) => archive.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...shared,
        name: 'artifact_unarchive',
        title: 'Unarchive artifact',
        description:
          'Brings an archived artifact back into the list, where it can be changed again; artifact_archive is the other way. Returns changed: false when it was not archived.',
        level: 'contribute',
        idempotent: true,
        failure: failure('artifact could not be brought back'),
        secondNames: byArtifactId.second,
        input: z.strictObject(byArtifactId.names),
        handle: ({ actor, projectId }, input) => unarchive.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...creating,
        name: 'artifact_explore',
        aliases: ['artifact-explore'],
        title: 'Explore artifact',
        description:
          'Looks into the files of an artifact before an edit: tree lists, search finds lines, read gives up to 10 files or the lines of one, history lists commits. Answers carry revision, the baseRevision for artifact_edit.',
        level: 'read',
        failure: failure('artifact could not be explored'),
        secondNames: bySessionId.second,
        input: z.strictObject({
          ...bySessionId.names,
          action: oneOf('What to do', ['tree', 'search', 'read', 'history']),
          path: text('tree, search: folder or file').optional(),
          revision: revision(),
          includeExcluded: yesNo('tree: node_modules, dist, build too', false).optional(),
          query: text('search: words of a line', { maxLength: 500 }).optional(),
          regex: yesNo('search: query is a regular expression', false).optional(),
          caseSensitive: yesNo('search: capitals matter', false).optional(),
          paths: list(text('A path'), { description: 'read: 1 to 10 paths', maxItems: 10 }).optional(),
          range: text('read: lines "from,to" of one path').optional(),
          cursor: text('history: nextCursor').optional(),
          limit: whole('tree, search: up to 500; history: 50').optional(),
        }),
        handle: ({ actor, projectId }, input) => explore.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...creating,
        name: 'workspace_list_workspaces',
        aliases: ['workspace-list_workspaces'],
        title: 'List workspaces',
        description:
          'Lists the workspaces of the project, shelves that hold artifacts, with what you may do in each, for the workspaceId of artifact_create, artifact_list and artifact_update_metadata. People make and change them on the web.',
        level: 'read',
        failure: failure('workspaces could not be listed'),
        input: z.strictObject({}),
        handle: ({ actor, projectId }) => listWorkspaces.execute(actor, { projectId }),
      }),
    ];
  }
}

/** Tools that make and change artifacts. */
@Injectable()
export class ArtifactMakingTools extends ToolSource {
  override readonly tools: readonly ToolDefinition[];

  constructor(
    create: CreateArtifact,
    generate: CreateGeneratedArtifact,
    edit: EditArtifact,
    reserve: ReserveUpload,
    mint: MintGitToken,
    update: UpdateMetadata,
    duplicate: DuplicateArtifact,
    setCards: SetArtifactCards,
  ) {
    super();
    this.tools = [
      tool({
        ...creating,
        name: 'artifact_create',
        aliases: ['artifact-create'],
        title: 'Create artifact',
        description:
          'Makes a new artifact. type empty: a seed to clone and push to; import: your files inline (about 100 KB) or a zip; p2c from a prompt, l2c from a web page, f2c from Figma frames. Own code is ready at once. Generated ones return generating: call artifact_status with wait true. To change an artifact use artifact_edit. Give the person previewUrl.',
        level: 'contribute',
        failure: failure('artifact could not be created'),
        input: z.strictObject({
          type: oneOf('Where the files come from', ['empty', 'import', ...GENERATED]),
          artifactType: oneOf('What it is; default app', TYPES).optional(),
          name: text('Only with empty, import', { maxLength: 120 }).optional(),
          // Looked at by the use case: a record would leave out a file that is called `__proto__`.
          files: z
            .any()
            .refine((value) => value !== null && typeof value === 'object' && !Array.isArray(value), {
              error: 'must be an object of path and text.',
            })
            .meta({
              description: 'import: path to text',
              type: 'object',
              additionalProperties: { type: 'string' },
            })
            .optional(),
          zipUploadId: id('import: from artifact_get_zip_upload_url').optional(),
          prompt: text('p2c: what to make', { maxLength: 20_000 }).optional(),
          guidelines: text('p2c: style and rules', { maxLength: 20_000 }).optional(),
          url: text('l2c: public page', { maxLength: 2_048 }).optional(),
          fileKey: text('f2c: Figma file or its URL').optional(),
          nodesId: list(text('12:34'), { description: 'f2c: 1 to 20 frames', maxItems: 20 }).optional(),
          framework: oneOf('Of an app; needed for empty', ['html', 'react']).optional(),
          styling: text('Default tailwind').optional(),
          language: oneOf('react only', ['typescript', 'javascript']).optional(),
          uiLibrary: text('react only: shadcn; f2c also mui, antd, clean_react').optional(),
          workspaceId: id('Needed when several take artifacts').optional(),
        }),
        handle: ({ actor, projectId, figmaToken }, { type, ...given }) => {
          const generated = GENERATED.find((each) => each === type);
          return generated
            ? generate.execute(actor, { projectId, type: generated, ...given }, { figmaToken })
            : create.execute(actor, { projectId, type, ...given });
        },
      }),
      tool({
        ...creating,
        name: 'artifact_edit',
        aliases: ['artifact-edit'],
        title: 'Edit artifact',
        description:
          'Changes files of an artifact: 1 to 20 operations, all or none, one new version. baseRevision is the full revision that artifact_explore or the last edit gave; when somebody wrote since, the call is refused with REVISION_CONFLICT and the paths. str_replace needs oldText to occur once, or replaceAll. For large sets push over git.',
        level: 'contribute',
        failure: failure('artifact could not be edited'),
        secondNames: bySessionId.second,
        input: z.strictObject({
          ...bySessionId.names,
          baseRevision: text('40 hex digits'),
          commitMessage: text('What changes and why', { maxLength: 1_000 }),
          changes: list(
            z.strictObject(
              {
                op: oneOf('Operation', ['str_replace', 'write', 'delete', 'move']),
                path: text('All but move').optional(),
                oldText: text('str_replace: exact').optional(),
                newText: text('str_replace').optional(),
                replaceAll: yesNo('str_replace', false).optional(),
                expectedReplacements: whole('With replaceAll').optional(),
                content: text('write: whole file').optional(),
                encoding: oneOf('write', ['utf8', 'base64']).optional(),
                fromPath: text('move').optional(),
                toPath: text('move').optional(),
              },
              { error: 'must be an object.' },
            ),
            { description: 'Operations, in order', minItems: 1, maxItems: 20 },
          ),
        }),
        handle: ({ actor, projectId }, input) => edit.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...creating,
        name: 'artifact_get_zip_upload_url',
        aliases: ['artifact-get_zip_upload_url'],
        title: 'Reserve zip upload',
        description:
          'Gives a secret address for one upload, valid 30 minutes: PUT the zip there (Content-Type application/zip), then call artifact_create with type import and zipUploadId. For files that are binary or more than about 100 KB. Purpose asset takes one image or video.',
        level: 'contribute',
        failure: failure('upload could not be reserved'),
        input: z.strictObject({
          purpose: oneOf('Default source', ['source', 'asset']).optional(),
        }),
        handle: async ({ actor, projectId }, input) => ({
          success: true,
          ...(await reserve.execute(actor, { projectId, ...input })),
        }),
      }),
      tool({
        ...shared,
        flags: ['artifacts.enabled', 'artifacts.git.enabled'],
        name: 'artifact_get_git_token',
        aliases: ['artifact-get_git_token'],
        title: 'Git access to artifact',
        description:
          'Gives an address to clone an artifact over git and to push to its branch main; each push makes one version. It holds a secret that ends within an hour: show it to nobody. Archived artifacts can only be cloned. For small changes use artifact_edit.',
        level: 'contribute',
        failure: failure('git token could not be made'),
        secondNames: bySessionId.second,
        input: z.strictObject({
          ...bySessionId.names,
          ttlSeconds: whole('300 to 3,600', { minimum: 300, maximum: 3_600, default: 3_600 }).optional(),
        }),
        handle: async ({ actor, projectId }, { ttlSeconds, ...named }) => {
          const artifactId = artifactIdOf(named);
          const minted = await mint.execute(actor, { projectId, artifactId, ttlSeconds });
          return {
            success: true,
            sessionId: artifactId,
            ...minted,
            nextSteps: ['git clone the address, commit, then git push origin main.'],
          };
        },
      }),
      tool({
        ...creating,
        name: 'artifact_update_metadata',
        aliases: ['artifact-update_metadata'],
        title: 'Update artifact metadata',
        description:
          'Changes name, description, privacy or workspace of an artifact, without a new version. Give at least one. Privacy public shows its preview to anybody with the address, where the instance allows that. Files are changed with artifact_edit.',
        level: 'contribute',
        idempotent: true,
        failure: failure('artifact could not be changed'),
        secondNames: bySessionId.second,
        input: z.strictObject({
          ...bySessionId.names,
          name: text('One line', { maxLength: 120 }).optional(),
          description: text('What it is', { maxLength: 1_000 }).optional(),
          privacy: oneOf('Who sees the preview', ['private', 'public']).optional(),
          workspaceId: id('Moves it there').optional(),
        }),
        handle: ({ actor, projectId }, input) => update.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...creating,
        name: 'artifact_duplicate',
        aliases: ['artifact-duplicate'],
        title: 'Duplicate artifact',
        description:
          'Makes a new private artifact with the files of the latest version of another: its own history, no linked cards, not published. Each call makes one more. For a change to the same artifact use artifact_edit.',
        level: 'contribute',
        failure: failure('artifact could not be duplicated'),
        secondNames: bySessionId.second,
        input: z.strictObject({
          ...bySessionId.names,
          name: text('Default: the name and (Copy)', { maxLength: 120 }).optional(),
          workspaceId: id('Needed when several take artifacts').optional(),
        }),
        handle: ({ actor, projectId }, input) => duplicate.execute(actor, { projectId, ...input }),
      }),
      tool({
        ...creating,
        name: 'artifact_set_cards',
        title: 'Link artifact to cards',
        description:
          'Replaces the cards of the board that an artifact belongs to; [] unlinks it. Workers on those cards read the artifact before they plan; artifact_get lists the links. card_create and card_update set the same links from the card. Returns the cards with number and title.',
        level: 'contribute',
        idempotent: true,
        failure: failure('cards could not be set'),
        secondNames: byArtifactId.second,
        input: z.strictObject({
          ...byArtifactId.names,
          cardIds: list(id('A card'), { description: 'Whole new list', maxItems: 20 }),
        }),
        handle: ({ actor, projectId }, input) => setCards.execute(actor, { projectId, ...input }),
      }),
    ];
  }
}

function blocksOf({ facts, content }: ReadFile): ToolContent {
  if ('image' in content) {
    const data = content.image.toString('base64');
    return new ToolContent([{ type: 'image', data, mimeType: facts.contentType }], facts);
  }
  const blocks: ContentBlock[] = [{ type: 'text', text: content.text }];
  if (facts.nextOffset !== null) {
    const { nextOffset, bytes } = facts;
    blocks.push({
      type: 'text',
      text: `Bytes ${content.from}-${content.to} of ${bytes}. Call again with offset ${nextOffset}.`,
    });
  }
  return new ToolContent(blocks, facts);
}
