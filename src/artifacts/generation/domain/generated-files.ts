import type { GenerationRequest } from './generation-request.js';

const MAX_PATH = 512;

/**
 * Why a set of generated files cannot be stored as what was asked for, a sentence each. Whether each path is safe is
 * decided again by the policy of the library; this tells the generator early.
 */
export function problemsOfSet(
  request: Pick<GenerationRequest, 'artifactType' | 'framework'>,
  paths: readonly string[],
): string[] {
  const problems = paths
    .filter((path) => !isPlainPath(path))
    .map((path) => `${JSON.stringify(path.slice(0, 100))} is no plain relative path.`);
  const seen = new Map<string, string>();
  for (const path of paths) {
    const key = path.toLowerCase();
    if (seen.has(key)) problems.push(`${path} occurs twice.`);
    seen.set(key, path);
  }
  if (request.artifactType === 'markdown') {
    if (!paths.some((path) => path.endsWith('.md'))) problems.push('There is no .md file.');
  } else if (
    !paths.includes('index.html') &&
    !(request.framework === 'react' && paths.includes('public/index.html'))
  ) {
    problems.push('There is no index.html.');
  }
  return problems.slice(0, 10);
}

function isPlainPath(path: string): boolean {
  if (path === '' || path.length > MAX_PATH || /[\\:\p{Cc}\p{Cf}]/u.test(path)) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !/[. ]$/.test(part));
}
