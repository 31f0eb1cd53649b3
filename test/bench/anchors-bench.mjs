// Figures of anchors and of rendering, on the built server: node test/bench/anchors-bench.mjs
// Needs `npm run build:server`; the samples come from LOUPE_SAMPLES_DIR (default ../shared/samples).
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFileSync } from '@swc/core';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const built = join(root, 'dist/src/documents/infrastructure/markdown/render-markdown.js');
if (!existsSync(built)) throw new Error('Run `npm run build:server` first.');

// What a design document is made of, about 1 KB.
const SECTION = `## Exports move to a queue

A scheduler puts **one job for each sailing** on the queue \`exports\`. Workers take four jobs at a time, so that
a [slow partner](https://partner.example) never blocks the others. A job that fails is tried again after 1, 5 and 20
minutes, then waits for a person.

- A partner never reads a file that is *still being written*.
- A retry replaces a file; it never adds a second one.
  - The temporary name carries the job id.

| Option | Pros | Cons |
| --- | --- | --- |
| One JSON file | As today | Twice the disk |
| One CSV file for each table | Smaller by 60 % | Three partners must adapt |

\`\`\`ts
export async function writeExport(rows: AsyncIterable<Row>): Promise<void> {
  for await (const row of rows) await part.append(row);
}
\`\`\`

> [!NOTE]
> Running exports are lost at the switch, so it happens at night.

`;

const { renderMarkdown } = await import(built);
const { relocate } = await import(join(root, 'dist/libs/anchoring/relocate.js'));
const { anchorOf } = await import(join(root, 'dist/libs/anchoring/make-anchor.js'));
const { anchorFigures, sampleRevisions } = await import(compiled('test/support/anchor-figures.ts'));

const samples = resolve(root, process.env.LOUPE_SAMPLES_DIR ?? '../shared/samples');
if (existsSync(join(samples, 'revisions'))) figures();
else console.log('Left out: anchors on real revisions, as the samples folder is absent (LOUPE_SAMPLES_DIR).');
speed();

function figures() {
  const revisions = sampleRevisions(samples, (markdown) => renderMarkdown(markdown).plainText);
  const result = anchorFigures(revisions, 2_000);
  console.log(
    `Passages scored on ${revisions.length} real revisions: ${result.expected} to be found, ${result.placed} placed`,
  );
  console.log(
    `  found at the right place: ${percent(result.found / result.expected)} (reach: at least 97 %)`,
  );
  console.log(`  placed wrongly: ${percent(result.wrong / result.placed)} (reach: at most 0.3 %)`);
  if (process.argv.includes('--mistakes')) console.log([...result.mistakes, ...result.misses].join('\n'));
}

function speed() {
  const sized = (bytes) => SECTION.repeat(Math.ceil(bytes / SECTION.length)).slice(0, bytes);
  renderMarkdown(sized(100_000));
  report('render 100 KB', 300, () => renderMarkdown(sized(100_000)));
  const rendered = report('render 1 MB', 5_000, () => renderMarkdown(sized(1_000_000)));
  const before = rendered.plainText;
  const after = `New at the top.\n${before.replaceAll('slow', 'lazy')}`;
  const anchors = Array.from({ length: 1_000 }, (_, at) => {
    const start = Math.floor((at * (before.length - 200)) / 1_000);
    return anchorOf(before, start, start + 80);
  });
  report('place 1,000 threads again on 1 MB', 2_000, () => relocate(before, after, anchors));
}

/** Time on the clock, and of the processor: the first counts, the second tells when the machine was busy. */
function report(what, limitMs, work) {
  const start = performance.now();
  const processor = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(processor);
  console.log(
    `${what}: ${Math.round(performance.now() - start)} ms, ${Math.round((user + system) / 1_000)} ms of processor (reach: under ${limitMs} ms)`,
  );
  return result;
}

function percent(share) {
  return `${(share * 100).toFixed(2)} %`;
}

/** Compiles one file of the tests beside the built server, where its imports lead to the built files. */
function compiled(source) {
  const target = join(root, 'dist', source.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, transformFileSync(join(root, source), { configFile: join(root, '.swcrc') }).code);
  return target;
}
