import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const QUIET: ('ignore' | 'pipe')[] = ['ignore', 'pipe', 'ignore'];

/**
 * First text of `.loupe/lifecycle.md` (`cli.md` 3.2): what the stage skills read about a repository, with what can be
 * found in it already filled in.
 */
export function lifecycleProfile(folder: string): string {
  const sections: [string, string, readonly string[]][] = [
    ['Instruction files', 'Files that every agent reads before it works here.', instructionFiles(folder)],
    ['Environment', 'How to bring a fresh checkout to a state in which it runs.', []],
    ['Gate', 'Commands that must pass before work is handed on.', gateCommands(folder)],
    ['Code review', 'What a reviewer looks at, and where the rules stand.', []],
    ['Changelog', 'Whether a change needs an entry, and in which file.', []],
    ['Pull request', 'Base branch, title, description, labels.', baseBranch(folder)],
    ['Board', 'What the columns mean here, beyond their names.', []],
    ['Merge', 'Who merges, and how.', []],
    ['Epics', 'How larger work is split here.', []],
    ['Repair', 'What an agent may do when a stage got stuck.', []],
  ];
  const parts = sections.map(([title, hint, lines]) => {
    const body = lines.length > 0 ? `\n${lines.map((line) => `- ${line}`).join('\n')}\n` : '';
    return `## ${title}\n\n<!-- ${hint} -->\n${body}`;
  });
  return `# How work goes in this repository\n\n${parts.join('\n')}`;
}

function instructionFiles(folder: string): string[] {
  return ['AGENTS.md', 'CLAUDE.md']
    .filter((name) => existsSync(join(folder, name)))
    .map((name) => `\`${name}\``);
}

function gateCommands(folder: string): string[] {
  const wanted = ['test', 'lint', 'build'];
  const scripts = scriptsOf(join(folder, 'package.json'));
  const fromPackage = wanted.filter((name) => name in scripts).map((name) => `npm run ${name}`);
  const fromMake = wanted
    .filter((name) => targetIn(join(folder, 'Makefile'), name))
    .map((name) => `make ${name}`);
  const just = ['justfile', 'Justfile', '.justfile'].map((name) => join(folder, name)).find(existsSync);
  const fromJust = just ? wanted.filter((name) => targetIn(just, name)).map((name) => `just ${name}`) : [];
  return [...fromPackage, ...fromMake, ...fromJust].map((command) => `\`${command}\``);
}

function scriptsOf(path: string): Record<string, unknown> {
  try {
    const { scripts } = JSON.parse(readFileSync(path, 'utf8')) as { scripts?: Record<string, unknown> };
    return scripts !== null && typeof scripts === 'object' ? scripts : {};
  } catch {
    return {};
  }
}

function targetIn(path: string, name: string): boolean {
  try {
    return new RegExp(`^@?${name}\\b[^:=\\n]*:(?!=)`, 'm').test(readFileSync(path, 'utf8'));
  } catch {
    return false;
  }
}

function baseBranch(folder: string): string[] {
  for (const args of [
    ['symbolic-ref', '--short', 'refs/remotes/origin/HEAD'],
    ['symbolic-ref', '--short', 'HEAD'],
  ]) {
    try {
      const options = { cwd: folder, stdio: QUIET };
      const branch = execFileSync('git', args, { ...options, encoding: 'utf8' })
        .trim()
        .replace(/^origin\//, '');
      if (branch) return [`Default branch: \`${branch}\``];
    } catch {
      // no git here, or no such reference
    }
  }
  return [];
}
