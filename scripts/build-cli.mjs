// Bundles the `loupe` command into one file and packs it as the instance serves it: dist/cli/loupe.mjs, the tarball with
// its hash, and release.json that tells about it. The same sources give the same bytes.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const cli = join(root, 'libs', 'cli');
const target = ['node20.19'];

/** The two halves of the canvas runtime as scripts. */
export function canvasTexts() {
  const script = (entry, extra) =>
    buildSync({
      entryPoints: [join(cli, 'canvas', 'runtime', entry)],
      bundle: true,
      write: false,
      minify: true,
      format: 'iife',
      legalComments: 'none',
      charset: 'utf8',
      define: { 'process.env.NODE_ENV': '"production"' },
      absWorkingDir: root,
      ...extra,
    }).outputFiles[0].text;
  return {
    browser: script('browser.ts', { platform: 'browser', target: ['es2020'] }),
    renderer: script('static.ts', { platform: 'neutral', target }),
  };
}

export function buildCli(outdir = join(root, 'dist', 'cli')) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { browser, renderer } = canvasTexts();
  const { outputFiles } = buildSync({
    entryPoints: [join(cli, 'main.ts')],
    bundle: true,
    write: false,
    minify: true,
    keepNames: true,
    platform: 'node',
    format: 'esm',
    target,
    legalComments: 'none',
    absWorkingDir: root,
    // Libraries written for CommonJS ask for built-in modules by `require`.
    banner: {
      js: "#!/usr/bin/env node\nimport { createRequire as loupeRequire } from 'node:module';const require = loupeRequire(import.meta.url);",
    },
    define: {
      __LOUPE_CLI_VERSION__: JSON.stringify(version),
      __LOUPE_CLI_COMMIT__: JSON.stringify(commit()),
      __LOUPE_CANVAS_BROWSER__: JSON.stringify(browser),
      __LOUPE_CANVAS_STATIC__: JSON.stringify(renderer),
    },
  });
  const program = Buffer.from(outputFiles[0].contents);
  const name = `loupe-${version}.tar.gz`;
  const archive = gzipSync(
    tar([
      { name: `loupe-${version}/loupe.mjs`, mode: 0o755, content: program },
      { name: `loupe-${version}/LICENSE`, mode: 0o644, content: readFileSync(join(root, 'LICENSE')) },
    ]),
    { level: 9 },
  );
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  const path = join(outdir, 'loupe.mjs');
  writeFileSync(path, program);
  chmodSync(path, 0o755);
  writeFileSync(join(outdir, name), archive);
  const release = {
    range: rangeOf(version),
    version,
    file: name,
    sha256: createHash('sha256').update(archive).digest('hex'),
    size: archive.length,
  };
  writeFileSync(join(outdir, 'release.json'), `${JSON.stringify(release, null, 2)}\n`);
  return { path, ...release };
}

/** Versions of the command that fit this server. */
function rangeOf(version) {
  const [major, minor] = version.split('.');
  return major === '0' ? `^0.${minor}` : `^${major}.0`;
}

function commit() {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : '';
}

/** A plain tar archive (ustar) without times and owners. */
function tar(entries) {
  const blocks = entries.flatMap(({ name, mode, content }) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write(`${mode.toString(8).padStart(7, '0')}\0`, 100);
    header.write('0000000\0', 108);
    header.write('0000000\0', 116);
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('00000000000\0', 136);
    header.write('        ', 148);
    header.write('0', 156);
    header.write('ustar\u000000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { path, version, size } = buildCli();
  console.log(`${path} (loupe ${version}, ${Math.round(size / 1024)} KiB packed)`);
}
