import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { Metrics } from '#libs/observability/metrics.js';
import { consoleProgram } from '#src/shell/console/program.js';

const folder = join(applicationRoot, 'docs', 'operating');
const guide = (name: string) => readFileSync(join(folder, name), 'utf8');

/** Names between backticks in the first column of the tables of a text. */
function firstColumn(text: string): string[] {
  return [...text.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  );
}

const commands = consoleProgram().commands.map((command) => command.name());

describe('the guides for operators', () => {
  it('name every metric with its labels, and none that is not there', async () => {
    const told = new Map(
      [...guide('monitoring.md').matchAll(/^\| `([a-z_]+)` \| (.*?) \|/gm)].map(([, name, labels]) => [
        name!,
        [...labels!.matchAll(/`(\w+)`/g)].map(([, label]) => label!),
      ]),
    );
    const there = (await new Metrics().registry.getMetricsAsJSON()) as unknown as { name: string }[];
    const own = there.map(({ name }) => name).filter((name) => !/^(process|nodejs)_/.test(name));
    expect([...told.keys()].sort()).toEqual([...own].sort());
    const source = readFileSync(join(applicationRoot, 'libs/observability/metrics.ts'), 'utf8');
    for (const [name, labels] of told) {
      const [, given] = new RegExp(`'${name}',[^[]*\\[([^\\]]*)\\]`).exec(source)!;
      expect([name, labels]).toEqual([name, [...given!.matchAll(/'(\w+)'/g)].map(([, label]) => label)]);
    }
  });

  it('name every command of the console, and none that is not there', () => {
    const told = firstColumn(guide('console.md')).map((cell) => cell.split(' ')[0]!);
    expect(told.sort()).toEqual([...commands].sort());
  });

  it('write every command of the console as it is', () => {
    for (const name of readdirSync(folder)) {
      for (const [, command] of guide(name).matchAll(/loupe-server ([a-z]+:?[a-z]*)/g)) {
        expect([name, command, commands.includes(command!)]).toEqual([name, command, true]);
      }
    }
  });

  it('lead only to pages and files that are there', () => {
    for (const [name, text] of [
      ['../operating.md', readFileSync(join(folder, '../operating.md'), 'utf8')] as const,
      ...readdirSync(folder).map((file) => [file, guide(file)] as const),
    ]) {
      const base = name.startsWith('..') ? join(folder, '..') : folder;
      for (const [, target] of text.matchAll(/\]\((?!https:)([^)#]+)/g)) {
        // The page of variables comes with the pages that the server shows.
        if (/(environment|admin)\.md$/.test(target!)) continue;
        expect([name, target, existsSync(join(base, target!))]).toEqual([name, target, true]);
      }
    }
  });

  it('hold samples that can be read: the environment of the install page has no comment behind a value', () => {
    const [, sample] = /```sh\n(APP_ENV[^`]*)```/.exec(guide('install.md'))!;
    for (const line of sample!.trim().split('\n')) expect(line).toMatch(/^(#.*|[A-Z_]+='[^']*')$/);
    const [, yaml] = /```yaml\n([^`]*)```/.exec(guide('monitoring.md'))!;
    expect(parse(yaml!)).toHaveProperty('scrape_configs');
  });
});
