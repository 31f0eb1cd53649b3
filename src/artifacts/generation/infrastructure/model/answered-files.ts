import type { GeneratedFile } from '../../application/ports/artifact-generator.js';

const MAX_FILES = 200;
const MAX_BYTES = 4 * 1024 * 1024;

export type AnsweredFiles =
  | { readonly name: string | null; readonly files: readonly GeneratedFile[] }
  | { readonly problem: string };

/** The object that a model was asked for, also out of a code fence or with words around it. */
export function answeredFiles(text: string): AnsweredFiles {
  const given = objectIn(text);
  if (given === null) return { problem: 'The answer is not one JSON object.' };
  const { name, files } = given as { name?: unknown; files?: unknown };
  const entries = Array.isArray(files)
    ? files.map((file: { path?: unknown; content?: unknown } | null) => [file?.path, file?.content] as const)
    : Object.entries((files ?? {}) as object);
  if (entries.length === 0) return { problem: 'The object has no files.' };
  if (entries.length > MAX_FILES) return { problem: `There are more than ${MAX_FILES} files.` };
  if (!entries.every(([path, content]) => typeof path === 'string' && typeof content === 'string')) {
    return { problem: 'files must map each path to the text of its file.' };
  }
  const kept = (entries as [string, string][]).map(([path, content]) => ({
    path: path.replace(/^\.\//, ''),
    content,
  }));
  if (kept.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0) > MAX_BYTES) {
    return { problem: `The files hold more than ${MAX_BYTES} bytes.` };
  }
  return { name: typeof name === 'string' && name.trim() !== '' ? name.trim() : null, files: kept };
}

/** What a page loads from other servers, a sentence each: it has to work without network. */
export function networkProblems(files: readonly GeneratedFile[]): string[] {
  return files.flatMap(({ path, content }) => {
    if (typeof content !== 'string' || !/\.(html|css)$/.test(path)) return [];
    const loads =
      /<(?:script|link|img|iframe|source|video|audio)\b[^>]*?\b(?:src|href)\s*=\s*["']?((?:https?:)?\/\/[^"'\s>]+)/i.exec(
        content,
      ) ?? /(?:@import\s+(?:url\()?|url\()\s*["']?((?:https?:)?\/\/[^"')\s]+)/i.exec(content);
    return loads ? [`${path} loads ${loads[1]!.slice(0, 200)}; it must work without network.`] : [];
  });
}

function objectIn(text: string): object | null {
  const from = text.indexOf('{');
  const to = text.lastIndexOf('}');
  if (from < 0 || to < from) return null;
  try {
    const value: unknown = JSON.parse(text.slice(from, to + 1));
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
