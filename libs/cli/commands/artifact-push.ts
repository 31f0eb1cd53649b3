import { basename, resolve } from 'node:path';
import { compileCanvases, isCanvasSet } from '../canvas/compile-canvases.js';
import { Refusal } from '../core/api-client.js';
import type { CommandContext } from '../core/context.js';
import { Failure, failed, wrongUse } from '../core/failure.js';
import { projectOf, sessionHeader } from '../core/project-choice.js';
import { isProjectId } from '../core/project-file.js';
import { ArtifactIds } from '../push/artifact-ids.js';
import { collectFiles } from '../push/collect-files.js';
import { PendingPush } from '../push/pending-push.js';
import { listed, type ManifestRow, type PushFile } from '../push/push-file.js';
import { type PushRequest, Upload } from '../push/upload.js';

export interface PushOptions {
  readonly project?: string;
  readonly name?: string;
  readonly artifact?: string;
  readonly new?: boolean;
  readonly notes?: string;
  readonly card?: readonly string[];
  readonly workspace?: string;
  readonly entry?: string;
  readonly raw?: boolean;
  readonly keepSource?: boolean;
  readonly dryRun?: boolean;
}

/** `loupe artifact push`: stores the files of a folder as a new version of an artifact (`artifacts.md` 9). */
export async function artifactPush(
  context: CommandContext,
  options: PushOptions,
  words: readonly string[],
): Promise<void> {
  const { terminal } = context;
  const pushed = words[0]!;
  const cardNumbers = (options.card ?? []).map(cardNumber);
  if (options.artifact !== undefined && (options.new || !isProjectId(options.artifact))) {
    throw options.new
      ? wrongUse('--artifact and --new cannot both hold', 'leave one of them out')
      : wrongUse(`"${options.artifact}" is not the id of an artifact`, 'see `loupe artifact list`');
  }
  const ids = new ArtifactIds(context.folder);
  const artifactId = options.artifact ?? (options.new ? null : ids.get(pushed));

  const collected = collectFiles(resolve(context.folder, pushed));
  const wanted = await compiled(context, collected.files, options, resolve(context.folder, pushed));
  if (!wanted.some(({ path }) => /\.(html?|md)$/i.test(path))) {
    throw failed('Nothing to show', 'the folder holds no .html and no .md file');
  }
  for (const { path, reason } of collected.skipped) terminal.note(`skipped ${path}: ${reason}`);
  const { rows, files } = await listed(wanted);
  const name = options.name ?? nameOf(resolve(context.folder, pushed));
  if (options.dryRun) return dryRun(context, rows, artifactId, name);

  const api = context.api();
  const projectId = await projectOf(context, api, options.project);
  const request: PushRequest = {
    ...(artifactId === null ? { name } : { artifactId }),
    ...(options.workspace === undefined ? {} : { workspaceId: options.workspace }),
    ...(options.notes === undefined ? {} : { notes: options.notes }),
    ...(options.entry === undefined ? {} : { entryPath: options.entry }),
    cardNumbers,
    files: rows,
  };
  const upload = new Upload(api, sessionHeader(context.environment), (done, of, bytes, ofBytes) =>
    terminal.progress(`${done} of ${of} files, ${megabytes(bytes)} of ${megabytes(ofBytes)}`),
  );
  const pending = new PendingPush(context.store.folder, { url: api.url, projectId, request });
  const answer = await upload.run(projectId, request, files, pending).catch((error: unknown) => {
    terminal.endProgress();
    if (error instanceof Refusal && error.code === 'not_found' && artifactId !== null && !options.artifact) {
      throw failed(
        `the artifact ${artifactId} of .loupe/artifacts.yaml is not there`,
        'push with --new, or name another with --artifact',
      );
    }
    throw error instanceof Refusal ? inWordsOf(error, request) : error;
  });
  terminal.endProgress();
  if (options.artifact === undefined) ids.put(pushed, answer.artifactId);

  const skipped = [...collected.skipped, ...(answer.skippedFiles ?? [])];
  for (const { path, reason } of answer.skippedFiles ?? []) terminal.note(`not stored ${path}: ${reason}`);
  const count = `${rows.length} ${rows.length === 1 ? 'file' : 'files'}`;
  const what = options.name ?? (artifactId === null ? name : nameOf(resolve(context.folder, pushed)));
  terminal.result(
    answer.unchanged
      ? `${what}: unchanged, version ${answer.version} (${count})`
      : `${what}: version ${answer.version} (${count}, ${answer.uploadedFiles} uploaded)`,
  );
  terminal.result(answer.url);
  if (answer.previewUrl) terminal.result(answer.previewUrl);
  terminal.report({
    artifactId: answer.artifactId,
    name: what,
    version: answer.version,
    revision: answer.revision,
    unchanged: answer.unchanged,
    fileCount: rows.length,
    uploadedFiles: answer.uploadedFiles,
    uploadedBytes: answer.uploadedBytes,
    skippedFiles: skipped,
    url: answer.url,
    previewUrl: answer.previewUrl,
  });
}

/** The server counts files and cards; a person knows them by path and number. */
function inWordsOf(refusal: Refusal, { files, cardNumbers }: PushRequest): Failure {
  const what = refusal.what
    .replace(/\bfiles\[(\d+)\](\.\w+)?/g, (text, index: string) => files[Number(index)]?.path ?? text)
    .replace(/\bcardNumbers\[(\d+)\]/g, (text, index: string) => {
      const number = cardNumbers[Number(index)];
      return number === undefined ? text : `card ${number}`;
    });
  return new Failure(refusal.exitCode, what, refusal.fix, refusal.detail);
}

async function compiled(
  context: CommandContext,
  files: readonly PushFile[],
  options: PushOptions,
  pushed: string,
): Promise<readonly PushFile[]> {
  if (options.raw || !(await isCanvasSet(files))) return files;
  const result = await compileCanvases(files, { keepSource: options.keepSource === true, root: pushed });
  for (const warning of result.warnings) context.terminal.note(`warning: ${warning}`);
  return result.files;
}

function dryRun(
  context: CommandContext,
  rows: readonly ManifestRow[],
  artifactId: string | null,
  name: string,
): void {
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  for (const row of rows) context.terminal.result(`${row.path} (${row.bytes} bytes)`);
  const target = artifactId === null ? `a new artifact "${name}"` : `a version of ${artifactId}`;
  context.terminal.result(
    `Would send ${rows.length} files, ${megabytes(bytes)}, as ${target}. Nothing was sent.`,
  );
  context.terminal.report({ dryRun: true, artifactId, name, files: rows, bytes });
}

function cardNumber(text: string): number {
  const number = Number(text.replace(/^#/, ''));
  if (Number.isInteger(number) && number > 0) return number;
  throw wrongUse(`"${text}" is no number of a card`, 'give it as in `--card 42`');
}

function nameOf(path: string): string {
  return (
    basename(path)
      .normalize('NFC')
      .replace(/(\.dc)?\.(html?|md)$/i, '')
      .slice(0, 120) || 'Untitled project'
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
