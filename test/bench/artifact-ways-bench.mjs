// Figures of the ways into artifacts, against the built server as a process of its own: a push of 500 files beside cp,
// an unchanged push, and the import of zips with the memory that it takes.
// node test/bench/artifact-ways-bench.mjs; needs `npm run build:server`.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { built, compiled } from './compiled.mjs';

if (!existsSync(built('src/main.js'))) throw new Error('Run `npm run build:server` first.');

const FILES = 500;
const FILE_BYTES = 40_000;
/** First pushes of other folders, of which the median is told. */
const FIRSTS = 5;
const CLOCK_TICKS = Number(execFileSync('getconf', ['CLK_TCK']).toString());
const MEBIBYTE = 1024 * 1024;

const { ArtifactStage } = await import(compiled('test/support/artifact-stage.ts'));
const { PushClient } = await import(compiled('test/support/push-client.ts'));
const { makeZip } = await import(compiled('test/support/zip-maker.ts'));

const stage = await ArtifactStage.start({ durable: true });
try {
  await stage.setFlag('artifacts.creates_per_hour', 10_000);
  await stage.setFlag('artifacts.uploads_per_hour', 10_000);
  await pushing();
  await importing();
} finally {
  await stage.stop();
}

async function pushing() {
  const { token } = await stage.token(['agent', 'mcp', 'projects']);
  const client = new PushClient(stage.server.origin, token);
  const files = folder(FILES);
  const megabytes = (FILES * FILE_BYTES) / 1e6;
  const copied = copying(files);
  await idleConnectionsClosed();
  await client.push(stage.projectId, folder(20));
  const small = await timed(() => client.push(stage.projectId, folder(200, 26_000)));
  const apart = await timed(() => client.push(stage.projectId, folder(FILES), {}, { oneByOne: true }));
  const firsts = [await timed(() => client.push(stage.projectId, files))];
  const { artifactId } = firsts[0].result;
  while (firsts.length < FIRSTS) {
    const others = folder(FILES);
    await idleConnectionsClosed();
    firsts.push(await timed(() => client.push(stage.projectId, others)));
  }
  firsts.sort((a, b) => a.ms - b.ms);
  const first = firsts[Math.floor(FIRSTS / 2)];
  const again = await timed(() => client.push(stage.projectId, files, { artifactId }));
  const changed = { ...files, 'index.html': '<h1>Changed</h1>' };
  const one = await timed(() => client.push(stage.projectId, changed, { artifactId }));
  console.log(`A push of 200 files, 5.2 MB together: ${ms(small.ms)} (processor ${ms(small.cpu)})`);
  console.log(`A push of ${FILES} files, ${megabytes} MB together, four uploads at a time:`);
  console.log(`  cp of the folder, written through to the disk: ${rate(megabytes, copied.synced)}`);
  console.log(`  cp of the folder alone: ${rate(megabytes, copied.plain)}`);
  console.log(
    `  first push, median of ${FIRSTS}: ${rate(megabytes, first.ms)}, best ${rate(megabytes, firsts[0].ms)}; ${(first.ms / copied.synced).toFixed(1)} × the time of cp; processor ${ms(first.cpu)}`,
  );
  console.log(
    `  with a request for each file, as before: ${rate(megabytes, apart.ms)}; processor ${ms(apart.cpu)}`,
  );
  console.log(
    `  unchanged push: ${ms(again.ms)} (processor ${ms(again.cpu)}), ${again.result.sent} files sent`,
  );
  console.log(`  one file changed: ${ms(one.ms)} (processor ${ms(one.cpu)}), ${one.result.sent} file sent`);
}

async function importing() {
  const small = zipOf(folder(FILES));
  const even = Buffer.alloc(4 * MEBIBYTE, 'The quick brown fox jumps over the lazy dog. ');
  const large = makeZip({
    entries: [
      { name: 'index.html', content: '<h1>Large</h1>' },
      ...Array.from({ length: 45 }, (_, at) => ({
        name: `${at}.txt`,
        content: Buffer.concat([randomBytes(40_000), even]),
      })),
    ],
  });
  await idleConnectionsClosed();
  for (const [what, zip] of [
    [`${FILES} files, ${megabytesOf(small)} MB packed`, small],
    [`46 files, ${megabytesOf(large)} MB packed, 190 MB unpacked`, large],
  ]) {
    const { body } = await stage.person.api('POST', `${stage.base}/uploads`, {});
    const sent = await timed(() =>
      fetch(body.uploadUrl.replace(stage.server.url, stage.server.origin), { method: 'PUT', body: zip }),
    );
    const before = rss();
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, rss());
    }, 10);
    const made = await timed(() =>
      stage.person.api('POST', stage.base, { type: 'import', zipUploadId: body.zipUploadId }),
    );
    clearInterval(watch);
    if (made.result.status !== 201) throw new Error(JSON.stringify(made.result.body));
    console.log(`Import of a zip, ${what}:`);
    console.log(
      `  upload ${ms(sent.ms)}, import ${ms(made.ms)} (processor ${ms(made.cpu)}), memory of the server + ${megabytes(peak - before)} MB`,
    );
  }
}

/** Work that blocks this process lets connections stand idle; the client has to see that the server closed them. */
function idleConnectionsClosed() {
  return new Promise((done) => setTimeout(done, 1_000));
}

/** Pages and styles of even size that do not compress well. */
function folder(count, bytes = FILE_BYTES) {
  const files = { 'index.html': '<h1>Bench</h1>' };
  for (let at = 1; at < count; at++)
    files[`part-${at % 20}/file-${at}.css`] = `/* ${randomBytes((bytes * 3) / 4).toString('base64')} */`;
  return files;
}

function copying(files) {
  const from = mkdtempSync(join(tmpdir(), 'loupe-bench-from-'));
  const to = mkdtempSync(join(tmpdir(), 'loupe-bench-to-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(from, path)), { recursive: true });
      writeFileSync(join(from, path), content);
    }
    execFileSync('sync');
    const plain = took(() => execFileSync('cp', ['-r', from, join(to, 'plain')]));
    const synced = took(() =>
      execFileSync('sh', [
        '-c',
        'cp -r "$1" "$2" && find "$2" -type f -exec sync {} +',
        'sh',
        from,
        join(to, 'synced'),
      ]),
    );
    return { plain, synced };
  } finally {
    rmSync(from, { recursive: true });
    rmSync(to, { recursive: true });
  }
}

function zipOf(files) {
  return makeZip({ entries: Object.entries(files).map(([name, content]) => ({ name, content })) });
}

function rss() {
  const status = readFileSync(`/proc/${stage.server.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) * 1024;
}

/** `cpu`: processor time of the server and of git, in milliseconds, which a busy machine does not stretch. */
async function timed(work) {
  const before = processorTime();
  const started = performance.now();
  const result = await work();
  return { result, ms: performance.now() - started, cpu: processorTime() - before };
}

function processorTime() {
  const stat = readFileSync(`/proc/${stage.server.pid}/stat`, 'utf8');
  // Its own in user and system mode, then that of the processes that it ran to their end.
  const ticks = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15);
  return ticks.reduce((sum, count) => sum + Number(count), 0) * (1000 / CLOCK_TICKS);
}

function took(work) {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function rate(size, time) {
  return `${(size / (time / 1000)).toFixed(1)} MB/s (${ms(time)})`;
}

function ms(time) {
  return `${Math.round(time)} ms`;
}

function megabytes(bytes) {
  return (bytes / 1e6).toFixed(0);
}

function megabytesOf(buffer) {
  return megabytes(buffer.length);
}
