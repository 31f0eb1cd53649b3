import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { transform } from 'lightningcss';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const sheets = ['tokens', 'base', 'components', 'patterns'].map((name) => here(`./src/styles/${name}.css`));

/** The server renders the identity pages itself and links the same sheets under one name that never changes. */
function stableSheet(): Plugin {
  return {
    name: 'loupe-stable-sheet',
    apply: 'build',
    generateBundle() {
      const css = sheets.map((sheet) => readFileSync(sheet, 'utf8')).join('\n');
      const { code } = transform({ filename: 'loupe.css', code: Buffer.from(css), minify: true });
      this.emitFile({ type: 'asset', fileName: 'assets/loupe.css', source: code });
    },
  };
}

const server = process.env.LOUPE_DEV_SERVER ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: here('.'),
  plugins: [react(), stableSheet()],
  build: {
    outDir: here('../../dist/web'),
    emptyOutDir: true,
    // All of these know light-dark(), @layer and OKLCH, so nothing is rewritten for older ones.
    target: ['chrome125', 'firefox128', 'safari17.5'],
    // The policy of the pages allows no data: scripts or styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          // What changes with a dependency alone keeps its name through a release of Loupe, so browsers keep it too.
          groups: [
            { name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/, priority: 3 },
            { name: 'routing', test: /node_modules[\\/](?:react-router|@tanstack)[\\/]/, priority: 2 },
            {
              name: 'menus',
              test: /node_modules[\\/](?:radix-ui|@radix-ui|@floating-ui|aria-hidden|react-remove-scroll)/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  // All pages are looked through at the start, so that no late find reloads the page while somebody works on it.
  optimizeDeps: { entries: ['src/**/*.tsx'] },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/login', '/logout', '/install', '/docs', '/about', '/assets/loupe.css'].map((path) => [
        path,
        { target: server, changeOrigin: false },
      ]),
    ),
  },
});
