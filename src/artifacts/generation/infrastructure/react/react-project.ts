import type { Element } from 'hast';
import { toHtml } from 'hast-util-to-html';
import type { GeneratedFile } from '../../application/ports/artifact-generator.js';
import type { Language } from '../../domain/generation-request.js';

export interface ReactPage {
  readonly title: string;
  readonly language: Language;
  /** Language of the page itself, such as `de`. */
  readonly lang?: string;
  /** Attributes of the body. */
  readonly body?: Element['properties'];
  /** Addresses of stylesheets that the page links; so theirs hold wherever the app is built. */
  readonly stylesheets: readonly string[];
}

/** Extension of files with JSX. */
export function jsxExtension(language: Language): 'tsx' | 'jsx' {
  return language === 'typescript' ? 'tsx' : 'jsx';
}

/** The files of a React app around its component `src/App`. */
export function reactFrame(page: ReactPage): GeneratedFile[] {
  const extension = jsxExtension(page.language);
  const root = `document.getElementById('root')${page.language === 'typescript' ? '!' : ''}`;
  return [
    { path: 'index.html', content: indexHtml(page, `src/main.${extension}`) },
    { path: 'package.json', content: packageJson(page.title) },
    {
      path: `src/main.${extension}`,
      content: `import { createRoot } from 'react-dom/client';
import { App } from './App';

createRoot(${root}).render(<App />);
`,
    },
  ];
}

function packageJson(title: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 60)
    .replace(/-+$/, '');
  const dependencies = { react: '^19.0.0', 'react-dom': '^19.0.0' };
  return `${JSON.stringify({ name: name || 'page', private: true, type: 'module', dependencies }, null, 2)}\n`;
}

function indexHtml({ title, lang, body, stylesheets }: ReactPage, script: string): string {
  const head = element('head', {}, [
    element('meta', { charSet: 'utf-8' }),
    element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    element('title', {}, [{ type: 'text', value: title }]),
    ...stylesheets.map((href) => element('link', { rel: ['stylesheet'], href })),
  ]);
  const page = element('html', lang ? { lang } : {}, [
    head,
    element('body', body ?? {}, [
      element('div', { id: 'root' }),
      element('script', { type: 'module', src: script }),
    ]),
  ]);
  return `${toHtml({ type: 'root', children: [{ type: 'doctype' }, page] })}\n`;
}

function element(
  tagName: string,
  properties: Element['properties'],
  children: Element['children'] = [],
): Element {
  return { type: 'element', tagName, properties, children };
}
