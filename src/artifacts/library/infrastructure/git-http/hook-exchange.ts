import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DomainError } from '#libs/kernel/errors.js';
import { HOOK_PROGRAM, HOOK_SCRIPT } from './hook-program.js';

const HOOKS = ['pre-receive', 'post-receive'] as const;
export type HookName = (typeof HOOKS)[number];

/** More than 100 refs with long names; a push has fewer. */
const MESSAGE_BYTES = 1024 * 1024;

/** What a hook tells. The object folders name the quarantine of the push. */
export interface HookCall {
  readonly hook: HookName;
  readonly updates: string;
  readonly objects: string | null;
  readonly alternates: string | null;
}

export interface HookAnswer {
  readonly accepted: boolean;
  readonly lines: readonly string[];
}

export type HookListener = (call: HookCall) => Promise<HookAnswer>;

interface Expected {
  readonly listener: HookListener;
  readonly calls: Set<HookName>;
}

/**
 * The socket over which the hooks of running pushes reach this process, and the files that git runs as hooks. A token
 * stands for one push and one call of each hook; it is in the environment of that push alone.
 */
export class HookExchange {
  private readonly expected = new Map<string, Expected>();

  private constructor(
    private readonly server: Server,
    private readonly folder: string,
    /** Value of `core.hooksPath`. */
    readonly hooksPath: string,
  ) {}

  /** @param root folder of the repositories; the hooks lie beside them, because `/tmp` may forbid programs. */
  static async open(root: string): Promise<HookExchange> {
    const hooksPath = join(root, '.hooks');
    await mkdir(hooksPath, { recursive: true });
    for (const hook of HOOKS) await writeProgram(join(hooksPath, hook), HOOK_SCRIPT);
    await writeProgram(join(hooksPath, 'hook.cjs'), HOOK_PROGRAM);
    for (const hook of HOOKS) await requireRunnable(join(hooksPath, hook));
    // Addresses of sockets are short, so not below the root, which may be deep.
    const folder = await mkdtemp(join(tmpdir(), 'loupe-git-'));
    await chmod(folder, 0o700);
    const server = createServer();
    const exchange = new HookExchange(server, folder, hooksPath);
    server.on('connection', (socket) => exchange.answer(socket));
    await new Promise<void>((done, fail) => {
      server.once('error', fail);
      server.listen(exchange.socketPath, done);
    });
    server.unref();
    return exchange;
  }

  /** Awaits one call of each hook. @returns what the process of the push needs, and the way to end it. */
  expect(listener: HookListener): { environment: Record<string, string>; forget: () => void } {
    const token = randomBytes(32).toString('base64url');
    this.expected.set(token, { listener, calls: new Set(HOOKS) });
    return {
      environment: {
        LOUPE_HOOK_SOCKET: this.socketPath,
        LOUPE_HOOK_TOKEN: token,
        LOUPE_HOOK_NODE: process.execPath,
        LOUPE_HOOK_PROGRAM: join(this.hooksPath, 'hook.cjs'),
      },
      forget: () => this.expected.delete(token),
    };
  }

  async close(): Promise<void> {
    await new Promise<void>((done) => this.server.close(() => done()));
    await rm(this.folder, { recursive: true, force: true });
  }

  private get socketPath(): string {
    return join(this.folder, 'hooks.sock');
  }

  private answer(socket: Socket): void {
    let message = '';
    socket.setEncoding('utf8');
    socket.on('error', () => socket.destroy());
    socket.on('data', (part: string) => {
      message += part;
      if (message.length > MESSAGE_BYTES) socket.destroy();
      if (!message.endsWith('\n')) return;
      socket.removeAllListeners('data');
      void this.ask(message).then((answer) => socket.end(JSON.stringify(answer)));
    });
  }

  private async ask(message: string): Promise<HookAnswer> {
    try {
      const { token, ...call } = JSON.parse(message) as HookCall & { readonly token: string };
      const expected = this.expected.get(token);
      if (!expected?.calls.delete(call.hook)) return refused('This push is not known.');
      return await expected.listener(call);
    } catch {
      return refused('The push could not be checked. Push again.');
    }
  }
}

function refused(line: string): HookAnswer {
  return { accepted: false, lines: [line] };
}

/** Git passes over hooks that it may not run, and takes the push unchecked. @throws DomainError `unavailable`. */
export async function requireRunnable(path: string): Promise<void> {
  await access(path, constants.X_OK).catch(() => {
    throw new DomainError(
      'unavailable',
      'unavailable',
      'Git access is not available: the folder of the repositories lets no programs run. Ask the admin.',
    );
  });
}

/** All processes write the same bytes, so whoever comes last changes nothing. */
async function writeProgram(path: string, content: string): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => null)) === content) return;
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, content, { mode: 0o755 });
  await rename(draft, path);
}
