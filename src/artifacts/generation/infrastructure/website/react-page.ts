import type { Root } from 'hast';
import type { GeneratedFile } from '../../application/ports/artifact-generator.js';
import { jsxOf } from '../react/jsx-writer.js';
import { reactFrame } from '../react/react-project.js';
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
  const lang = elementNamed(tree, 'html')?.properties.lang;
  return [
    ...reactFrame({
      title,
      language: 'typescript',
      lang: typeof lang === 'string' ? lang : undefined,
      body: body?.properties,
      stylesheets: ['src/styles.css'],
    }),
    { path: 'src/App.tsx', content: component },
    { path: 'src/styles.css', content: `${styles}\n` },
  ];
}
