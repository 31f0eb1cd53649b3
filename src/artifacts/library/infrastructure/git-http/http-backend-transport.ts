import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { relative } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { DomainError } from '#libs/kernel/errors.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import {
  type GitRequest,
  type GitResponse,
  GitTransport,
  type PushGate,
  type RefUpdate,
} from '../../application/ports/git-transport.js';
import { noGit } from '../../domain/refusals.js';
import { gitEnvironment, gitHome } from '../git/git-process.js';
import { RealGitRepositories } from '../git/real-git-repositories.js';
import { readCgiHead } from './cgi-response.js';
import { type HookAnswer, type HookCall, HookExchange } from './hook-exchange.js';
import { QuarantinedCommits } from './quarantined-commits.js';

const LIMIT_MS = 120_000;
const AT_ONCE = 8;
const RETRY_SECONDS = 5;
/** Read and thrown away of a push that git refused, so that the client gets to read why. */
const DRAINED_BYTES = 512 * 1024 * 1024;
const NO_COMMIT = /^0+$/;
/**
 * Memory that each process of git may take. A pack of some kilobytes can describe an object of gigabytes, which git makes
 * in memory before anybody can look at its size.
 */
const MEMORY_KIBIBYTES = 2 * 1024 * 1024;
/** Systems without this limit go on without it. */
const LIMITED_GIT = `ulimit -v ${MEMORY_KIBIBYTES} 2>/dev/null; exec git http-backend`;
const NOT_INSTALLED = 127;

type Backend = ChildProcessByStdio<Writable, Readable, Readable>;

/** Requests of git clients, each answered by the real `git http-backend` in a clean environment. */
@Injectable()
export class HttpBackendTransport extends GitTransport implements OnApplicationShutdown {
  private readonly logger = new Logger('artifacts-git');
  private readonly root: string;
  private running = 0;
  private exchange: Promise<HookExchange> | null = null;

  constructor(
    configuration: Configuration,
    private readonly flags: Flags,
    private readonly repositories: RealGitRepositories,
  ) {
    super();
    this.root = configuration.values.artifactGitRoot;
  }

  override async serve(request: GitRequest, gate?: PushGate): Promise<GitResponse> {
    if (this.running >= AT_ONCE) {
      throw new DomainError(
        'unavailable',
        'busy',
        `Too many git requests run at once. Try again in ${RETRY_SECONDS} seconds.`,
        { retryAfterSeconds: RETRY_SECONDS },
      );
    }
    this.running += 1;
    try {
      return await this.start(request, gate);
    } catch (error) {
      this.running -= 1;
      throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await (await this.exchange)?.close();
  }

  private async start(request: GitRequest, gate?: PushGate): Promise<GitResponse> {
    const repository = await this.repositories.ensure(request.artifactId);
    const exchange = gate ? await this.openExchange() : null;
    const hooks = gate && exchange?.expect((call) => this.answerHook(repository, call, gate));
    const child = spawn('/bin/sh', ['-c', LIMITED_GIT], {
      cwd: this.root,
      env: {
        ...gitEnvironment(await gitHome(this.root)),
        ...this.settings(exchange?.hooksPath ?? '/dev/null'),
        ...this.cgi(repository, request),
        ...hooks?.environment,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own, so that the time limit ends the processes that git starts too.
      detached: true,
    });
    const limit = setTimeout(() => kill(child), LIMIT_MS);
    const ended = new Promise<number | null>((done, fail) => {
      child.once('error', fail);
      child.once('close', done);
    });
    ended.catch(() => undefined);
    child.once('close', () => {
      clearTimeout(limit);
      hooks?.forget();
      this.running -= 1;
    });
    this.noteErrors(child, request);
    void feed(child.stdin, request.body);
    const { status, headers } = await readCgiHead(child.stdout).catch(async (error: unknown) => {
      throw (await ended) === NOT_INSTALLED ? noGit() : error;
    });
    // Whoever clones and goes away needs no process any more; a push goes on to its end.
    if (request.service === 'git-upload-pack') child.stdout.once('close', () => kill(child));
    return { status, headers, body: child.stdout };
  }

  private openExchange(): Promise<HookExchange> {
    this.exchange ??= HookExchange.open(this.root).catch((error: unknown) => {
      this.exchange = null;
      throw error;
    });
    return this.exchange;
  }

  private async answerHook(repository: string, call: HookCall, gate: PushGate): Promise<HookAnswer> {
    try {
      const updates = updatesOf(call.updates);
      const lines =
        call.hook === 'pre-receive'
          ? await gate.review(updates, new QuarantinedCommits(this.root, repository, call))
          : await gate.moved(updates);
      return { accepted: true, lines };
    } catch (error) {
      if (error instanceof DomainError) return { accepted: false, lines: error.message.split('\n') };
      this.logger.error({ msg: 'A push failed', err: error });
      return { accepted: false, lines: ['Something went wrong on the server. Push again.'] };
    }
  }

  /** Settings that hold whatever the file in the repository says. */
  private settings(hooksPath: string): Record<string, string> {
    const values: Record<string, string> = {
      'safe.directory': '*',
      'core.hooksPath': hooksPath,
      'core.protectHFS': 'true',
      'core.protectNTFS': 'true',
      'http.receivepack': 'true',
      'http.uploadpack': 'true',
      'http.getanyfile': 'false',
      'receive.denyNonFastForwards': 'true',
      'receive.denyDeleteCurrent': 'refuse',
      'receive.fsckObjects': 'true',
      'receive.maxInputSize': String(this.flags.int('artifacts.git_push_max_bytes')),
      'receive.autogc': 'false',
      'receive.advertisePushOptions': 'false',
      'transfer.hideRefs': 'refs/loupe',
      'uploadpack.allowFilter': 'true',
      'gc.auto': '0',
      'pack.threads': '1',
      'pack.windowMemory': '64m',
    };
    const settings: Record<string, string> = { GIT_CONFIG_COUNT: String(Object.keys(values).length) };
    for (const [index, [key, value]] of Object.entries(values).entries()) {
      settings[`GIT_CONFIG_KEY_${index}`] = key;
      settings[`GIT_CONFIG_VALUE_${index}`] = value;
    }
    return settings;
  }

  private cgi(repository: string, request: GitRequest): Record<string, string> {
    const { advertise, service, protocol, contentEncoding, contentType } = request;
    return {
      GIT_PROJECT_ROOT: this.root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: `/${relative(this.root, repository)}/${advertise ? 'info/refs' : service}`,
      QUERY_STRING: advertise ? `service=${service}` : '',
      REQUEST_METHOD: advertise ? 'GET' : 'POST',
      CONTENT_TYPE: contentType ?? '',
      REMOTE_USER: request.tokenId,
      REMOTE_ADDR: '',
      ...(contentEncoding === 'gzip' ? { HTTP_CONTENT_ENCODING: 'gzip' } : {}),
      ...(protocol !== null && /^version=[012]$/.test(protocol) ? { GIT_PROTOCOL: protocol } : {}),
    };
  }

  private noteErrors(child: Backend, { artifactId, service }: GitRequest): void {
    let text = '';
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (part: string) => {
      if (text.length < 2_000) text += part;
    });
    child.stderr.once('end', () => {
      if (text !== '') this.logger.debug({ msg: text.trim(), artifactId, service });
    });
  }
}

/** Hands the body to the process. When that has heard enough, the rest is read and thrown away. */
async function feed(stdin: Writable, body: Readable | null): Promise<void> {
  // A process that ended early closes its input; what it says about that stands in its answer.
  let open = true;
  stdin.once('close', () => {
    open = false;
  });
  stdin.on('error', () => {
    open = false;
  });
  let bytes = 0;
  try {
    for await (const chunk of (body ?? []) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > DRAINED_BYTES) break;
      if (open && !stdin.write(chunk)) await drained(stdin);
    }
  } catch {
    // The client went away: git sees the end of its input and refuses half a pack.
  }
  stdin.end();
}

function drained(stream: Writable): Promise<void> {
  return new Promise((done) => {
    const go = (): void => {
      stream.off('drain', go).off('close', go).off('error', go);
      done();
    };
    stream.on('drain', go).on('close', go).on('error', go);
    if (stream.destroyed) go();
  });
}

function kill(child: Backend): void {
  if (child.exitCode !== null || child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

function updatesOf(text: string): RefUpdate[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [from, to, ...name] = line.split(' ');
      return { ref: name.join(' '), from: commitOf(from!), to: commitOf(to!) };
    });
}

function commitOf(id: string): string | null {
  return NO_COMMIT.test(id) ? null : id;
}
