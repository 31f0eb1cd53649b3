import { randomUUID } from 'node:crypto';
import { access, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import type { NamedContent } from '../../application/ports/artifact-blobs.js';
import {
  type CommitToWrite,
  GitRepositories,
  type LoggedCommit,
  type TreeFile,
} from '../../application/ports/git-repositories.js';
import { GitFailure, git, gitStream } from './git-process.js';
import { StagedBlobs } from './staged-blobs.js';

const MAIN = 'refs/heads/main';
const NOWHERE = '0'.repeat(40);
/** Files of a commit that are read before their turn. */
const READ_AHEAD = 8;
/** Larger ones are read when it is their turn, so that little waits in memory. */
const READ_AHEAD_BYTES = 256 * 1024;
/** So many packs slow down every look for an object; git itself would pack them at this number. */
const PACKS_MANY = 50;
/** Also few objects become a pack, which is on the disk when the process ends, as loose ones are not. */
const AS_PACK = ['-c', 'fastimport.unpackLimit=1'];
const NONE_STAGED: ReadonlyMap<string, string> = new Map();

/** Bare repositories under `ARTIFACT_GIT_ROOT`, driven by the git that is installed. */
@Injectable()
export class RealGitRepositories extends GitRepositories {
  private readonly root: string;
  private readonly signature: string;
  private readonly staged: StagedBlobs;

  constructor(
    configuration: Configuration,
    private readonly flags: Flags,
  ) {
    super();
    this.root = configuration.values.artifactGitRoot;
    this.staged = new StagedBlobs(this.root);
    this.signature = `Loupe <noreply@${new URL(configuration.values.defaultUri).hostname}>`;
  }

  /** Folder of the repository, whether or not it is there. */
  pathOf(artifactId: string): string {
    // The end of an id is random, its beginning is the time.
    return join(this.root, artifactId.slice(-2), `${artifactId}.git`);
  }

  /** Makes the repository when it is not there; answers its folder. */
  async ensure(artifactId: string): Promise<string> {
    const path = this.pathOf(artifactId);
    if (await exists(path)) return path;
    await mkdir(dirname(path), { recursive: true });
    const draft = join(dirname(path), `.draft-${randomUUID()}`);
    try {
      await git(this.root, ['init', '--quiet', '--bare', '--template=', '--initial-branch=main', draft]);
      await writeFile(join(draft, 'config'), this.settings());
      await rename(draft, path).catch(async (error: NodeJS.ErrnoException) => {
        if (!(await exists(path))) throw error;
      });
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
    return path;
  }

  override async stage(pushId: string, contents: readonly NamedContent[]): Promise<void> {
    await this.staged.add(pushId, contents);
  }

  override async dropStaged(before: Date): Promise<void> {
    await this.staged.drop(before);
  }

  override async write(commit: CommitToWrite): Promise<{ revision: string; pendingRef: string }> {
    const cwd = await this.ensure(commit.artifactId);
    const pendingRef = `refs/loupe/pending/${randomUUID()}`;
    const oids = commit.staged === undefined ? NONE_STAGED : await this.staged.moveInto(cwd, commit.staged);
    // Somebody waits for this, and the pack that is made of it later looks for what is alike.
    const hurry = ['-c', 'core.compression=1', ...(oids.size > 0 ? AS_PACK : []), 'fast-import', '--depth=0'];
    const { stdout } = await git(this.root, [...hurry, '--quiet', '--done'], {
      cwd,
      input: this.importOf(commit, pendingRef, oids),
    });
    const revision = stdout.toString().trim();
    if (!/^[0-9a-f]{40}$/.test(revision))
      throw new GitFailure(null, `git fast-import answered "${revision}"`);
    return { revision, pendingRef };
  }

  override async advance(
    artifactId: string,
    from: string | null,
    to: string,
    pendingRef: string | null,
  ): Promise<boolean> {
    const lines = [
      'start',
      `update ${MAIN} ${to} ${from ?? NOWHERE}`,
      ...(pendingRef === null ? [] : [`delete ${pendingRef}`]),
      'prepare',
      'commit',
      '',
    ];
    const { code } = await this.in(artifactId, ['update-ref', '--stdin'], {
      input: lines.join('\n'),
      answers: [0, 128, 1],
    });
    return code === 0;
  }

  override async dropPending(artifactId: string, pendingRef: string): Promise<void> {
    await this.in(artifactId, ['update-ref', '-d', pendingRef], { answers: [0, 1, 128] });
  }

  override async holds(artifactId: string, revision: string): Promise<boolean> {
    if (!(await exists(this.pathOf(artifactId)))) return false;
    const { code } = await this.in(artifactId, ['cat-file', '-e', `${revision}^{commit}`], {
      answers: [0, 1, 128],
    });
    return code === 0;
  }

  override async head(artifactId: string): Promise<string | null> {
    if (!(await exists(this.pathOf(artifactId)))) return null;
    const { code, stdout } = await this.in(
      artifactId,
      ['rev-parse', '--verify', '--quiet', `${MAIN}^{commit}`],
      {
        answers: [0, 1, 128],
      },
    );
    return code === 0 ? stdout.toString().trim() : null;
  }

  override async isAncestor(artifactId: string, older: string, newer: string): Promise<boolean> {
    const { code } = await this.in(artifactId, ['merge-base', '--is-ancestor', older, newer], {
      answers: [0, 1, 128],
    });
    return code === 0;
  }

  override async tree(artifactId: string, revision: string): Promise<TreeFile[]> {
    const { stdout } = await this.in(artifactId, ['ls-tree', '-r', '-z', '-l', '--full-tree', revision]);
    return stdout
      .toString()
      .split('\0')
      .filter((line) => line !== '')
      .map(treeFileOf);
  }

  override async openFile(artifactId: string, oid: string): Promise<Readable> {
    return gitStream(this.root, ['cat-file', 'blob', oid], this.pathOf(artifactId));
  }

  override async message(artifactId: string, revision: string): Promise<string> {
    const { stdout } = await this.in(artifactId, ['log', '-1', '--format=%B', revision]);
    return stdout.toString().trimEnd();
  }

  override async log(artifactId: string, tip: string, skip: number, limit: number): Promise<LoggedCommit[]> {
    const { stdout } = await this.in(artifactId, [
      'log',
      '--first-parent',
      '-z',
      '--format=%H %ct %B',
      `--skip=${skip}`,
      `--max-count=${limit}`,
      tip,
    ]);
    return stdout
      .toString()
      .split('\0')
      .filter((entry) => entry !== '')
      .map((entry) => {
        const [revision, seconds] = entry.split(' ', 2);
        const message = entry.slice(revision!.length + seconds!.length + 2).trimEnd();
        return { revision: revision!, message, at: new Date(Number(seconds) * 1000) };
      });
  }

  override async matching(artifactId: string, tip: string, prefix: string): Promise<string[]> {
    const { code, stdout } = await this.in(artifactId, ['rev-parse', `--disambiguate=${prefix}`], {
      answers: [0, 128],
    });
    if (code !== 0) return [];
    const found: string[] = [];
    for (const id of stdout.toString().split('\n').filter(Boolean)) {
      if (await this.isAncestor(artifactId, id, tip)) found.push(id);
      if (found.length === 2) break;
    }
    return found;
  }

  override async keepOrphan(artifactId: string, revision: string): Promise<void> {
    await this.in(artifactId, ['update-ref', `refs/loupe/orphan/${revision}`, revision]);
  }

  override async tidy(artifactId: string): Promise<void> {
    // The lease is held, so a pending ref belongs to a write that came to nothing.
    const { stdout } = await this.in(artifactId, [
      'for-each-ref',
      '--format=delete %(refname)',
      'refs/loupe/pending/',
    ]);
    if (stdout.length > 0) await this.in(artifactId, ['update-ref', '--stdin'], { input: stdout });
    await this.in(artifactId, ['gc', '--quiet']);
  }

  /**
   * Brings the packs of many pushes into few. Needs no lease: git finds what it looks for in the new pack once an old one is
   * gone.
   */
  async gather(artifactId: string): Promise<void> {
    const entries = await readdir(join(this.pathOf(artifactId), 'objects', 'pack'));
    if (entries.filter((entry) => entry.endsWith('.pack')).length < PACKS_MANY) return;
    await this.in(artifactId, ['repack', '--quiet', '-d', '--geometric=2']);
  }

  override async remove(artifactId: string): Promise<void> {
    await rm(this.pathOf(artifactId), { recursive: true, force: true });
  }

  private in(artifactId: string, args: readonly string[], run: Parameters<typeof git>[2] = {}) {
    return git(this.root, args, { ...run, cwd: this.pathOf(artifactId) });
  }

  private async *importOf(
    commit: CommitToWrite,
    ref: string,
    oids: ReadonlyMap<string, string>,
  ): AsyncGenerator<string | Buffer> {
    const seconds = Math.floor(commit.at.getTime() / 1000);
    const message = Buffer.from(`${commit.message.trim()}\n`);
    yield `commit ${ref}\nmark :1\n`;
    yield `author ${this.signature} ${seconds} +0000\ncommitter ${this.signature} ${seconds} +0000\n`;
    yield `data ${message.length}\n`;
    yield message;
    if (commit.parent !== null) yield `from ${commit.parent}\n`;
    if (commit.removed === undefined) yield 'deleteall\n';
    else for (const path of commit.removed) yield `D ${quoted(path)}\n`;
    const absent: FileOfCommit[] = [];
    const present: string[] = [];
    for (const file of commit.files) {
      const oid = oids.get(file.sha256);
      if (oid === undefined) absent.push(file);
      else present.push(`M 100644 ${oid} ${quoted(file.path)}\n`);
    }
    yield present.join('');
    for await (const { path, sha256, bytes, content } of readAhead(absent, commit.open)) {
      yield `M 100644 inline ${quoted(path)}\ndata ${bytes}\n`;
      let given = 0;
      for await (const chunk of content) {
        given += chunk.length;
        yield chunk;
      }
      if (given !== bytes) throw new Error(`The blob ${sha256} holds ${given} bytes, not ${bytes}.`);
      yield '\n';
    }
    yield '\nget-mark :1\ndone\n';
  }

  /** Of every repository (`artifacts.md` 7.6); hooks of the application alone run, and only where it asks for them. */
  private settings(): string {
    return `[core]
\trepositoryformatversion = 0
\tfilemode = false
\tbare = true
\tprotectHFS = true
\tprotectNTFS = true
\thooksPath = /dev/null
\tlogAllRefUpdates = false
[receive]
\tdenyNonFastForwards = true
\tdenyDeleteCurrent = refuse
\tfsckObjects = true
\tmaxInputSize = ${this.flags.int('artifacts.git_push_max_bytes')}
\tautogc = false
\tadvertisePushOptions = false
[transfer]
\thideRefs = refs/loupe
[uploadpack]
\tallowFilter = true
[gc]
\tauto = 0
[http]
\treceivepack = true
`;
  }
}

type FileOfCommit = CommitToWrite['files'][number];
type OpenedFile = FileOfCommit & { readonly content: Iterable<Buffer> | AsyncIterable<Buffer> };

/** The files of a commit in their order; small ones are read before their turn, some at a time. */
async function* readAhead(
  files: readonly FileOfCommit[],
  open: CommitToWrite['open'],
): AsyncGenerator<OpenedFile> {
  const opened = async (file: FileOfCommit): Promise<OpenedFile> => {
    const stream = (await open(file.sha256)) as AsyncIterable<Buffer>;
    if (file.bytes > READ_AHEAD_BYTES) return { ...file, content: stream };
    const content: Buffer[] = [];
    for await (const chunk of stream) content.push(chunk);
    return { ...file, content };
  };
  const ahead: Promise<OpenedFile>[] = [];
  const begin = (file: FileOfCommit): void => {
    const opening = opened(file);
    // Its turn may never come; when it comes, the failure is thrown there.
    opening.catch(() => undefined);
    ahead.push(opening);
  };
  let next = 0;
  for (const file of files) {
    for (; next < files.length && ahead.length < READ_AHEAD; next += 1) {
      if (files[next]!.bytes > READ_AHEAD_BYTES && files[next] !== file) break;
      begin(files[next]!);
    }
    yield await ahead.shift()!;
  }
}

/** C-style quotes of fast-import; control characters and backslashes never are in a path. */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&')}"`;
}

function treeFileOf(line: string): TreeFile {
  const tab = line.indexOf('\t');
  const [mode, type, oid, size] = line.slice(0, tab).split(/\s+/);
  const kind = type === 'commit' ? 'submodule' : mode === '120000' ? 'link' : 'file';
  return { path: line.slice(tab + 1), bytes: size === '-' ? 0 : Number(size), kind, oid: oid! };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
