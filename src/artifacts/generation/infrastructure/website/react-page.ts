import type { Element, Root } from 'hast';
import { toHtml } from 'hast-util-to-html';
import type { GeneratedFile } from '../../application/ports/artifact-generator.js';
import { jsxOf } from './jsx-writer.js';
import { elementNamed } from './page-tree.js';

/** A cleaned page as a React app: its body as one component, its stylesheets in one file beside it. */
export function reactFiles(tree: Root, title: string, styles: string): GeneratedFile[] {
  const body = elementNamed(tree, 'body');
  const component = `export function App() {
  return (
    <>
${jsxOf(body?.children ?? [], 3)}    </>
  );
}
`;
  return [
    { path: 'index.html', content: indexHtml(tree, title) },
    { path: 'package.json', content: packageJson(title) },
    { path: 'src/App.tsx', content: component },
    { path: 'src/main.tsx', content: MAIN },
    { path: 'src/styles.css', content: `${styles}\n` },
  ];
}

export const MAIN = `import { createRoot } from 'react-dom/client';
import { App } from './App';

createRoot(document.getElementById('root')!).render(<App />);
`;

export function packageJson(title: string): string {
  const name =
    title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60) || 'page';
  return `${JSON.stringify(
    { name, private: true, type: 'module', dependencies: { react: '^19.0.0', 'react-dom': '^19.0.0' } },
    null,
    2,
  )}\n`;
}

/** The stylesheet is linked from the page, so that its addresses hold wherever the app is built. */
function indexHtml(tree: Root, title: string): string {
  const language = elementNamed(tree, 'html')?.properties.lang;
  const bodyProperties = elementNamed(tree, 'body')?.properties ?? {};
  const body: Element = {
    type: 'element',
    tagName: 'body',
    properties: bodyProperties,
    children: [
      { type: 'element', tagName: 'div', properties: { id: 'root' }, children: [] },
      {
        type: 'element',
        tagName: 'script',
        properties: { type: 'module', src: 'src/main.tsx' },
        children: [],
      },
    ],
  };
  const head: Element = {
    type: 'element',
    tagName: 'head',
    properties: {},
    children: [
      element('meta', { charSet: 'utf-8' }),
      element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      { ...element('title', {}), children: [{ type: 'text', value: title }] },
      element('link', { rel: ['stylesheet'], href: 'src/styles.css' }),
    ],
  };
  const html: Element = {
    type: 'element',
    tagName: 'html',
    properties: language ? { lang: language } : {},
    children: [head, body],
  };
  return `${toHtml({ type: 'root', children: [{ type: 'doctype' }, html] })}\n`;
}

function element(tagName: string, properties: Element['properties']): Element {
  return { type: 'element', tagName, properties, children: [] };
}
