import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The script of the frame that draws diagrams: one classic file, because a page without an origin may load no modules.
 * Built after the app, into the same folder, under a name that the server knows.
 */
export default defineConfig({
  root: here('.'),
  publicDir: false,
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    outDir: here('../../dist/web'),
    emptyOutDir: false,
    target: ['chrome125', 'firefox128', 'safari17.5'],
    chunkSizeWarningLimit: 6_000,
    lib: {
      entry: here('./src/diagram-frame/diagram-frame.ts'),
      formats: ['iife'],
      name: 'loupeDiagramFrame',
      fileName: () => 'assets/diagram-frame.js',
    },
  },
});
