import { buildReact } from '../../preview/infrastructure/build/react-app.js';
import type { GeneratedSet } from '../application/ports/artifact-generator.js';

/** What a preview makes of a generated React app. @throws Error with the sentence of a failed build. */
export async function previewOf({ files }: Pick<GeneratedSet, 'files'>): Promise<Map<string, string>> {
  const contents = new Map(files.map(({ path, content }) => [path, Buffer.from(content as Uint8Array)]));
  const result = await buildReact(
    {
      paths: [...contents.keys()].sort(),
      has: (path) => contents.has(path),
      read: async (path) => contents.get(path)!,
    },
    ['react', 'react-dom'],
  );
  if (result.state === 'failed') throw new Error(result.error);
  return new Map(result.files.map(({ path, content }) => [path, Buffer.from(content).toString()]));
}
