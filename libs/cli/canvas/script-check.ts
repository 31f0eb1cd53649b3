import { parse } from 'acorn';

/**
 * Line of the first `import(…)` of a script, or null. It is the one expression with which a script could reach something
 * outside of its context: the answer comes from the machine's own realm, and so would the error.
 * @throws SyntaxError of acorn, with `loc`
 */
export function dynamicImportLine(code: string): number | null {
  // Sloppy and not a module: just as it will run.
  const options = {
    ecmaVersion: 2022,
    sourceType: 'script',
    allowReturnOutsideFunction: true,
    locations: true,
  } as const;
  return lineOf(parse(code, options));
}

function lineOf(node: unknown): number | null {
  if (node === null || typeof node !== 'object') return null;
  if (Array.isArray(node)) return firstOf(node);
  const { type, loc } = node as { type?: string; loc?: { start: { line: number } } };
  if (type === 'ImportExpression') return loc?.start.line ?? 1;
  return firstOf(Object.values(node));
}

function firstOf(nodes: readonly unknown[]): number | null {
  for (const node of nodes) {
    const line = lineOf(node);
    if (line !== null) return line;
  }
  return null;
}
