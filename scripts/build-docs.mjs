// Puts the guides beside the built server, which renders them at /docs: what people and operators read, with its pictures.
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'dist', 'docs');

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
for (const name of [
  'README.md',
  'operating.md',
  'flags.md',
  'workflow-templates.md',
  'using',
  'operating',
  'images',
]) {
  cpSync(join(root, 'docs', name), join(target, name), { recursive: true });
}
cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
