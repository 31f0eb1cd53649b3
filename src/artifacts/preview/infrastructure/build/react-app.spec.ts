import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BuildResult } from '../../application/ports/preview-builder.js';
import { MemorySource } from '../../testing/memory-source.js';
import { buildReact } from './react-app.js';

const MODULES = ['react', 'react-dom'];
const MAIN = `import { createRoot } from 'react-dom/client';
import { App } from './App';
import './styles.css';
createRoot(document.getElementById('root')!).render(<App />);`;
const PAGE = `<!doctype html><html><head><title>Till</title></head><body><div id="root"></div><script type="module" src="/src/main.tsx"></script></body></html>`;
const APP = `export function App() { return <h1 className="text-red-500 p-[7px]">The till is open</h1>; }`;

const textOf = (result: BuildResult, end: string): string => {
  if (result.state !== 'ready') throw new Error(result.error);
  const file = result.files.find(({ path }) => path.endsWith(end));
  if (!file) throw new Error(`no file ${end} among ${result.files.map(({ path }) => path).join(', ')}`);
  return Buffer.from(file.content).toString();
};

const notesOf = (result: BuildResult): readonly string[] => (result.state === 'ready' ? result.notes : []);

describe('Previews of React apps', () => {
  it('artifacts 15.45: a React import builds to one page with its script and styles', async () => {
    const result = await buildReact(
      new MemorySource({
        'index.html': PAGE,
        'src/main.tsx': MAIN,
        'src/App.tsx': APP,
        'src/styles.css': 'h1 { color: green }',
      }),
      MODULES,
    );
    expect(textOf(result, '.js')).toContain('The till is open');
    expect(textOf(result, '.css')).toContain('color:green');
    const page = textOf(result, 'index.html');
    expect(page).toMatch(/<script type="module" src="\/preview-build\/main-[A-Z0-9]{8}\.js">/);
    expect(page).toMatch(/<link rel="stylesheet" href="\/preview-build\/main-[A-Z0-9]{8}\.css"><\/head>/);
    expect(page).not.toContain('/src/main.tsx');
  });

  it('gives the same bytes for the same files', async () => {
    const files = { 'index.html': PAGE, 'src/main.tsx': MAIN, 'src/App.tsx': APP, 'src/styles.css': '' };
    const [one, two] = await Promise.all(
      [1, 2].map(async () => buildReact(new MemorySource(files), MODULES)),
    );
    expect(one).toEqual(two);
  });

  it.each([
    [
      'src/index.js without a script in the page',
      {
        'public/index.html': '<body><div id=root></div></body>',
        'src/index.js': 'import React from "react"; document.title = String(<b>Hello there</b>);',
      },
    ],
    ['src/App.jsx alone', { 'src/App.jsx': 'export default () => <b>Hello there</b>;' }],
    [
      'an alias and a folder',
      {
        'src/main.ts': 'import { word } from "@/words"; document.title = word;',
        'src/words/index.ts': 'export const word: string = "Hello there";',
      },
    ],
  ])('finds the start of %s', async (_, files) => {
    expect(textOf(await buildReact(new MemorySource(files), MODULES), '.js')).toContain('Hello there');
  });

  it('artifacts 15.45: an unknown module fails with its name and what there is', async () => {
    const source = new MemorySource({
      'src/main.tsx': 'import "./App";',
      'src/App.tsx': 'import x from "left-pad/lib"; x();',
    });
    expect(await buildReact(source, MODULES)).toEqual({
      state: 'failed',
      error: 'Cannot find module "left-pad" in src/App.tsx. Preview has: react, react-dom.',
    });
  });

  it.each([
    ['a module of the server that is not listed', 'import "typeorm";'],
    ['a built-in module', 'import fs from "node:fs"; fs.rmSync("/");'],
    ['a file of the server', 'import "/etc/passwd";'],
    ['a path that leaves the artifact', 'import "../../../../package.json";'],
    ['a module inside a listed one by a path', 'import "react/../typeorm/package.json";'],
    ['an address on the web', 'import "https://cdn.example/x.js";'],
    ['a syntax error', 'const = ;'],
  ])('refuses %s', async (_, text) => {
    const result = await buildReact(new MemorySource({ 'src/main.tsx': text }), MODULES);
    expect(result).toMatchObject({ state: 'failed', error: expect.stringContaining('src/main.tsx') });
  });

  it('artifacts 15.45: runs nothing of the artifact: no install script, no configuration of any tool', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'loupe-build-'));
    const ran = join(folder, 'ran');
    const harm = `require('node:fs').writeFileSync(${JSON.stringify(ran)}, 'x');`;
    const source = new MemorySource({
      'index.html': PAGE,
      'package.json': JSON.stringify({
        scripts: { postinstall: `touch ${ran}`, build: `touch ${ran}` },
        browserslist: 'x',
      }),
      'tailwind.config.js': harm,
      'postcss.config.js': harm,
      'vite.config.ts': harm,
      'src/plugin.js': harm,
      'src/main.tsx': MAIN,
      'src/App.tsx': APP,
      'src/styles.css':
        '@config "../tailwind.config.js"; @plugin "./plugin.js"; @tailwind base; @tailwind components; @tailwind utilities;',
    });
    const result = await buildReact(source, MODULES);
    expect(existsSync(ran)).toBe(false);
    rmSync(folder, { recursive: true });
    expect(result).toMatchObject({ state: 'ready' });
    expect(notesOf(result).join('\n')).toMatch(/tailwind\.config\.js was ignored/);
    expect(notesOf(result).join('\n')).toMatch(/plugin\.js was ignored/);
    expect(source.seen.has('tailwind.config.js')).toBe(false);
  });

  it.each([
    ['4', '@import "tailwindcss";'],
    ['3', '@tailwind base; @tailwind components; @tailwind utilities;'],
  ])('compiles the directives of Tailwind %s with the default theme', async (_, css) => {
    const source = new MemorySource({
      'index.html': PAGE,
      'src/main.tsx': MAIN,
      'src/App.tsx': APP,
      'src/styles.css': css,
    });
    const styles = textOf(await buildReact(source, MODULES), '.css');
    expect(styles).toContain('.text-red-500');
    expect(styles).toContain('padding:7px');
    expect(styles).not.toContain('.text-blue-500');
  });

  it('keeps images and styles of modules in the bundle', async () => {
    const png = Buffer.from('89504e470d0a1a0a', 'hex');
    const result = await buildReact(
      new MemorySource({
        'src/main.tsx':
          'import logo from "./logo.png"; import s from "./a.module.css"; document.body.append(logo, s.box);',
        'src/logo.png': png,
        'src/a.module.css': '.box { background: url(./logo.png) }',
      }),
      MODULES,
    );
    expect(textOf(result, '.js')).toContain(png.toString('base64'));
    expect(textOf(result, '.css')).toContain(png.toString('base64'));
  });

  it('builds a project as the tools of the day make it: parts loaded later, aliases, theme, files of public/', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
    const result = await buildReact(
      new MemorySource({
        'index.html':
          '<html><head><link rel="icon" href="/vite.svg"><link rel="stylesheet" href="/src/global.css"></head><body><div id="root"></div><script type="module" src="/src/main.tsx"></script></body></html>',
        'package.json': '{"type":"module"}',
        'tsconfig.json': '{"references":[{"path":"./tsconfig.app.json"}]}',
        'vite.config.ts': "import { defineConfig } from 'vite'",
        'public/vite.svg': svg,
        'src/assets/react.svg': svg,
        'src/global.css': 'html{margin:0}',
        'src/main.tsx':
          "import { StrictMode } from 'react'; import { createRoot } from 'react-dom/client'; import './index.css'; import App from './App.tsx'; createRoot(document.getElementById('root')!).render(<StrictMode><App /></StrictMode>);",
        'src/App.tsx': `import { lazy, Suspense, useState } from 'react';
import logo from './assets/react.svg';
import icon from '/vite.svg';
import { cn } from '@/lib/utils';
import type { Count } from './types';
const Page = lazy(() => import('./pages/Page'));
export default function App() {
  const [count] = useState<Count>(0);
  return <><img src={logo} /><img src={icon} className={cn('md:flex', 'hover:bg-blue-700')} />{count}{import.meta.env.MODE}<Suspense><Page /></Suspense></>;
}`,
        'src/types.ts': 'export type Count = number',
        'src/lib/utils.ts': "export const cn = (...a: string[]) => a.join(' ')",
        'src/pages/Page.tsx': 'import \'./page.css\'; export default () => <p className="card">Later</p>',
        'src/pages/page.css': '.later { color: red }',
        'src/index.css':
          '@import "tailwindcss"; @theme { --color-brand: #123456; } @layer components { .card { @apply bg-brand; } } @font-face { font-family: X; src: url("/fonts/x.woff2") }',
      }),
      MODULES,
    );
    const page = textOf(result, 'index.html');
    const names = (result.state === 'ready' ? result.files : []).map(({ path }) => path);
    const sheets = names.filter((path) => path.endsWith('.css'));
    expect(sheets).toHaveLength(3);
    // Each stylesheet stands in the page once, also that of the part that is loaded later.
    for (const sheet of sheets) expect(page.split(`href="/${sheet}"`)).toHaveLength(2);
    const main = sheets.find((path) => path.includes('/main-'))!;
    const styles = textOf(result, main);
    for (const part of [
      'md\\:flex',
      'hover\\:bg-blue-700',
      '.card{background-color:var(--color-brand)}',
      'url(/fonts/x.woff2)',
    ])
      expect(styles).toContain(part);
    expect(page).toContain('href="/vite.svg"');
  });

  it('shows a finished build where the sources do not build', async () => {
    const files = { 'src/main.tsx': 'import "left-pad";', 'dist/index.html': '<h1>Built</h1>' };
    expect(await buildReact(new MemorySource(files), MODULES)).toMatchObject({
      state: 'ready',
      root: 'dist/',
      entryPath: 'index.html',
      notes: [expect.stringContaining('left-pad')],
    });
  });

  it('says so when there is nothing to build', async () => {
    expect(await buildReact(new MemorySource({ 'README.md': '#' }), MODULES)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('Nothing to build'),
    });
  });
});
