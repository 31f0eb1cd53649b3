import type { Element, ElementContent } from 'hast';
import { toHtml } from 'hast-util-to-html';
import type { GeneratedFile } from '../../application/ports/artifact-generator.js';
import type { GenerationRequest } from '../../domain/generation-request.js';
import { jsxOf } from '../react/jsx-writer.js';
import { jsxExtension, reactFrame } from '../react/react-project.js';
import type { FigmaNode } from './figma-node.js';
import { FrameTree, type KeptPictures } from './frame-tree.js';
import { slugOf, writerFor } from './style-writer.js';

const RESET = 'body { margin: 0; }\nimg { max-width: none; }\n';

interface NamedFrame {
  readonly node: FigmaNode;
  readonly name: string;
  /** Unlike those of the other frames. */
  readonly slug: string;
}

/** The files of frames in the form that was asked for, without the pictures themselves. */
export function frameFiles(
  request: GenerationRequest,
  title: string,
  nodes: readonly FigmaNode[],
  pictures: KeptPictures,
): GeneratedFile[] {
  const frames = named(nodes);
  return request.framework === 'react'
    ? reactFiles(request, title, frames, pictures)
    : htmlFiles(request, title, frames, pictures);
}

function named(nodes: readonly FigmaNode[]): NamedFrame[] {
  const taken = new Set<string>();
  return nodes.map((node) => {
    const base = slugOf(node.name ?? '', 'frame');
    let slug = base;
    for (let count = 2; taken.has(slug); count += 1) slug = `${base}-${count}`;
    taken.add(slug);
    return { node, name: node.name?.trim() || 'Frame', slug };
  });
}

function htmlFiles(
  request: GenerationRequest,
  title: string,
  frames: readonly NamedFrame[],
  pictures: KeptPictures,
): GeneratedFile[] {
  const styles = writerFor(request.styling);
  const isOne = frames.length === 1;
  const up = isOne ? '' : '../';
  // Styles at the element hold from the page, those of the stylesheet from the root.
  const fromStyles = request.styling === 'inline_styles' ? `${up}assets/` : 'assets/';
  const tree = new FrameTree(pictures, styles, { fromPage: `${up}assets/`, fromStyles });
  const pages = frames.map(({ node, name, slug }) => ({
    path: isOne ? 'index.html' : `frames/${slug}.html`,
    content: htmlPage(name, `${up}styles.css`, [tree.build(node)]),
  }));
  const list = frames.map(({ name, slug }) =>
    element('li', {}, [element('a', { href: `frames/${slug}.html` }, [text(name)])]),
  );
  const index = htmlPage(title, 'styles.css', [element('h1', {}, [text(title)]), element('ul', {}, list)]);
  return [
    ...(isOne ? [] : [{ path: 'index.html', content: index }]),
    ...pages,
    { path: 'styles.css', content: `${RESET}\n${styles.css}` },
  ];
}

function reactFiles(
  request: GenerationRequest,
  title: string,
  frames: readonly NamedFrame[],
  pictures: KeptPictures,
): GeneratedFile[] {
  const language = request.language ?? 'typescript';
  const extension = jsxExtension(language);
  const isModules = request.styling === 'css_modules';
  const shared = writerFor(request.styling);
  const fromStyles = isModules || request.styling === 'inline_styles' ? 'assets/' : '../assets/';
  const files: GeneratedFile[] = frames.flatMap(({ node, slug }) => {
    const styles = isModules ? writerFor(request.styling) : shared;
    const tree = new FrameTree(pictures, styles, { fromPage: 'assets/', fromStyles }).build(node);
    // Texts of a design keep their line breaks.
    const jsx = jsxOf([tree], 2, true);
    const body = isModules ? jsx.replace(/className="([\w-]+)"/g, "className={styles['$1']}") : jsx;
    const imports = isModules ? `import styles from './${slug}.module.css';\n\n` : '';
    const component = `${imports}export function ${componentName(slug)}() {\n  return (\n${body}  );\n}\n`;
    return [
      { path: `src/frames/${slug}.${extension}`, content: component },
      ...(isModules ? [{ path: `src/frames/${slug}.module.css`, content: styles.css }] : []),
    ];
  });
  const imports = frames
    .map(({ slug }) => `import { ${componentName(slug)} } from './frames/${slug}';\n`)
    .join('');
  const shown = frames.map(({ slug }) => `      <${componentName(slug)} />\n`).join('');
  return [
    ...reactFrame({ title, language, stylesheets: ['src/styles.css'] }),
    {
      path: `src/App.${extension}`,
      content: `${imports}\nexport function App() {\n  return (\n    <>\n${shown}    </>\n  );\n}\n`,
    },
    ...files,
    { path: 'src/styles.css', content: `${RESET}\n${isModules ? '' : shared.css}` },
  ];
}

function componentName(slug: string): string {
  return slug.replace(/(^|-)([a-z0-9])/g, (_, __, letter: string) => letter.toUpperCase());
}

function htmlPage(title: string, stylesheet: string, children: ElementContent[]): string {
  const head = element('head', {}, [
    element('meta', { charSet: 'utf-8' }),
    element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
    element('title', {}, [text(title)]),
    element('link', { rel: ['stylesheet'], href: stylesheet }),
  ]);
  const html = element('html', {}, [head, element('body', {}, children)]);
  return `${toHtml({ type: 'root', children: [{ type: 'doctype' }, html] })}\n`;
}

function element(
  tagName: string,
  properties: Element['properties'],
  children: ElementContent[] = [],
): Element {
  return { type: 'element', tagName, properties, children };
}

function text(value: string): ElementContent {
  return { type: 'text', value };
}
