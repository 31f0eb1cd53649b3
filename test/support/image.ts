import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { applicationRoot } from '#libs/configuration/application-root.js';

/** One instruction of a Dockerfile. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
  /** Stage that it stands in, from 0. */
  readonly stage: number;
}

export function dockerfile(): Instruction[] {
  const text = readFileSync(join(applicationRoot, 'docker/Dockerfile'), 'utf8')
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ');
  let stage = -1;
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
      if (name === 'FROM') stage += 1;
      return { name, text: rest, stage };
    });
}

/** Sources and target of a `COPY`, and the stage that it takes them from. */
export function copyOf({ text }: Instruction): { from: string | null; sources: string[]; target: string } {
  const words = text.split(/\s+/);
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length) ?? null;
  const paths = words.filter((word) => !word.startsWith('--'));
  return { from, sources: paths.slice(0, -1), target: paths.at(-1)! };
}

/**
 * What `.dockerignore` lets into the build: the last pattern that matches a path or a folder above it decides. Other than
 * in `.gitignore`, `*` is one part of a path from the root on.
 */
export function contextFilter(): (path: string) => boolean {
  const rules = readFileSync(join(applicationRoot, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const kept = line.startsWith('!');
      const parts = (kept ? line.slice(1) : line).split('/');
      return { kept, parts };
    });
  return (path) => {
    const given = path.split('/').filter(Boolean);
    const matches = ({ parts }: { parts: string[] }) =>
      parts.length <= given.length && parts.every((part, at) => part === '*' || part === given[at]);
    return rules.reduce((kept, rule) => (matches(rule) ? rule.kept : kept), true);
  };
}

/** Lays out the build context below `folder`, as a builder would send it, with the installed packages beside it. */
export function layOutContext(folder: string): void {
  const allowed = contextFilter();
  for (const entry of readdirSync(applicationRoot)) {
    if (entry === 'node_modules' || entry === '.git' || entry === 'dist') continue;
    const holds = allowed(entry) || (entry === 'docker' && allowed('docker/loupe-server'));
    if (!holds) continue;
    cpSync(join(applicationRoot, entry), join(folder, entry), {
      recursive: true,
      filter: (source) => {
        const path = relative(applicationRoot, source);
        return path === 'docker' || allowed(path);
      },
    });
  }
  symlinkSync(realpathSync(join(applicationRoot, 'node_modules')), join(folder, 'node_modules'));
}

/** Lays out what the last stage copies below `folder`; packages are those that `npm ci --omit=dev` would install. */
export function layOutImage(context: string, folder: string): void {
  const last = Math.max(...dockerfile().map(({ stage }) => stage));
  for (const instruction of dockerfile()) {
    if (instruction.name !== 'COPY' || instruction.stage !== last) continue;
    const { from, sources, target } = copyOf(instruction);
    for (const source of sources) {
      if (from === 'packages') linkPackages(join(folder, 'node_modules'));
      else if (from === 'build') {
        cpSync(join(context, source.replace(/^\/app\//, '')), join(folder, target), { recursive: true });
      }
    }
  }
}

/** What `npm ci --omit=dev` installs: packages of the lock file that are not for development alone. */
function linkPackages(target: string): void {
  const lock = JSON.parse(readFileSync(join(applicationRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  for (const [path, { dev = false }] of Object.entries(lock.packages)) {
    const installed = join(applicationRoot, path);
    const name = path.replace(/^node_modules\//, '');
    // Packages for other machines are not there; those inside a package come with it.
    if (path === '' || dev || name.includes('node_modules/') || !existsSync(installed)) continue;
    mkdirSync(dirname(join(target, name)), { recursive: true });
    execFileSync('cp', ['-rl', realpathSync(installed), join(target, name)]);
  }
}

/** As a read-only root file system: nobody may write below `folder`. */
export function sealed(folder: string): void {
  execFileSync('find', [folder, '-type', 'd', '-exec', 'chmod', 'a-w,a+rx', '{}', '+']);
  chmodSync(folder, 0o555);
}
