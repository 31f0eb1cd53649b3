import type { Element, Nodes, Root } from 'hast';
import { raw } from 'hast-util-raw';
import { defaultSchema, type Schema, sanitize } from 'hast-util-sanitize';
import { toHtml } from 'hast-util-to-html';
import type { Root as MarkdownRoot } from 'mdast';
import { toString as textOf } from 'mdast-util-to-string';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import type { BuildResult, BuiltFile } from '../../application/ports/preview-builder.js';
import { type BuildSource, readText } from './build-source.js';

/** Nesting that the steps of the pipeline, which call themselves, can bear. */
const MAX_DEPTH = 500;

const SCHEMA: Schema = {
  ...defaultSchema,
  // Ids of headings are minted here, so links inside the page keep their names.
  clobberPrefix: '',
  attributes: {
    ...defaultSchema.attributes,
    img: ['src', 'alt', 'title', 'width', 'height', 'longDesc'],
    h1: ['id'],
    h2: ['id'],
    h3: ['id'],
    h4: ['id'],
    h5: ['id'],
    h6: ['id'],
  },
  protocols: {
    ...defaultSchema.protocols,
    href: ['http', 'https', 'mailto'],
    src: ['http', 'https', 'data'],
  },
  strip: ['script', 'style', 'title', 'iframe', 'object', 'embed', 'svg', 'math', 'template', 'noscript'],
};

const STYLE = `
:root{color-scheme:light dark;--ink:light-dark(#263238,#e2e5e4);--soft:light-dark(#5b666b,#9aa5a9);--line:light-dark(#dcdfdc,#343c41);--plane:light-dark(#fdfdfb,#15191c);--fill:light-dark(#f1f2ee,#20262a);--link:light-dark(#0f5f74,#6cc3d6)}
*{box-sizing:border-box}
body{margin:0;background:var(--plane);color:var(--ink);font:16px/1.65 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:76ch;margin:0 auto;padding:40px 24px 96px;overflow-wrap:anywhere}
h1,h2,h3,h4,h5,h6{line-height:1.25;margin:2em 0 .6em;font-weight:620}
h1{font-size:1.9rem;margin-top:0}h2{font-size:1.4rem;padding-bottom:.25em;border-bottom:1px solid var(--line)}h3{font-size:1.15rem}h4,h5,h6{font-size:1rem}
p,ul,ol,blockquote,table,pre{margin:0 0 1em}
a{color:var(--link)}
img,video{max-width:100%;height:auto}
code{font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--fill);padding:.1em .35em;border-radius:4px}
pre{background:var(--fill);padding:14px 16px;border-radius:8px;overflow:auto}pre code{padding:0;background:none}
blockquote{margin-inline:0;padding:0 1em;border-inline-start:3px solid var(--line);color:var(--soft)}
table{border-collapse:collapse;display:block;overflow-x:auto}th,td{border:1px solid var(--line);padding:6px 12px;text-align:start}
hr{border:0;border-top:1px solid var(--line);margin:2em 0}
li:has(>input[type=checkbox]){list-style:none;margin-inline-start:-1.4em}li>input[type=checkbox]{margin-inline-end:.5em}
`;

const parser = unified().use(remarkParse).use(remarkGfm).freeze();

/** Renders every Markdown file of a version to a page of the same path; links between them keep working. */
export async function buildMarkdown(source: BuildSource, entryPath: string | null): Promise<BuildResult> {
  const files: BuiltFile[] = [];
  const notes: string[] = [];
  for (const path of source.paths.filter((one) => one.toLowerCase().endsWith('.md'))) {
    const text = await readText(source, path);
    const page = renderPage(text, path);
    if (page === null) notes.push(`${path} is nested too deep to render and is shown as plain text.`);
    files.push({
      path,
      contentType: 'text/html',
      content: Buffer.from(page ?? pageAround(path, `<pre>${escaped(text)}</pre>`)),
    });
  }
  return { state: 'ready', root: '', entryPath, files, notes };
}

/** The page, or null for what is nested too deep. */
export function renderPage(markdown: string, path: string): string | null {
  try {
    const syntax = parser.parse(markdown) as MarkdownRoot;
    if (depthOf(syntax) > MAX_DEPTH) return null;
    const html = unified().use(remarkRehype, { allowDangerousHtml: true }).runSync(syntax) as Root;
    const parsed = raw(html) as Root;
    if (depthOf(parsed) > MAX_DEPTH) return null;
    const safe = sanitize(withHeadingIds(parsed), SCHEMA) as Nodes;
    return pageAround(titleOf(syntax) ?? path, toHtml(safe));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function pageAround(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body><main dir="auto">
${body}
</main></body>
</html>
`;
}

function titleOf(root: MarkdownRoot): string | null {
  const heading = root.children.find((child) => child.type === 'heading');
  return heading === undefined ? null : textOf(heading).trim() || null;
}

/** Names like those of GitHub: small letters, dashes for spaces, a number for what comes again. */
function withHeadingIds(root: Root): Root {
  const seen = new Map<string, number>();
  const waiting: Nodes[] = [root];
  for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) {
    if (node.type === 'element' && /^h[1-6]$/.test(node.tagName)) {
      const name = wordsOf(node)
        .toLowerCase()
        .trim()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-');
      const times = seen.get(name) ?? 0;
      seen.set(name, times + 1);
      node.properties.id = times === 0 ? name : `${name}-${times}`;
    } else if ('children' in node) waiting.unshift(...(node.children as Nodes[]).slice(0, 10_000));
  }
  return root;
}

function wordsOf(element: Element): string {
  let words = '';
  const waiting: Nodes[] = [element];
  for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) {
    if (node.type === 'text') words += node.value;
    if ('children' in node) waiting.unshift(...(node.children as Nodes[]).slice(0, 1_000));
  }
  return words;
}

function depthOf(root: object): number {
  let deepest = 0;
  const waiting: { node: object; depth: number }[] = [{ node: root, depth: 0 }];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    deepest = Math.max(deepest, at.depth);
    const { children } = at.node as { children?: object[] };
    for (const node of children ?? []) waiting.push({ node, depth: at.depth + 1 });
  }
  return deepest;
}

function escaped(text: string): string {
  return text.replace(
    /[&<>"]/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!,
  );
}
