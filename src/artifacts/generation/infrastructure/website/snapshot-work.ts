import type { Element, Root } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { toHtml } from 'hast-util-to-html';
import type { GeneratedFile, GeneratedSet } from '../../application/ports/artifact-generator.js';
import type { PageFetcher } from '../../application/ports/page-fetcher.js';
import type { GenerationRequest } from '../../domain/generation-request.js';
import { isActiveAddress, removeActive } from './active-content.js';
import { PageAssets } from './page-assets.js';
import { PageRewriter, type StyleMode } from './page-rewriter.js';
import { elementNamed, textOfTree } from './page-tree.js';
import { reactFiles } from './react-page.js';
import { sourceNote } from './source-note.js';
import { StylesheetRewriter } from './stylesheet-rewriter.js';

const LITTLE_TEXT = 200;

/** A page that was read, and what is to become of it. */
export interface SnapshotWork {
  readonly request: GenerationRequest;
  /** Where it was found. */
  readonly address: string;
  readonly html: string;
  readonly at: Date;
  /** Milliseconds for its resources; those that are not there by then are left out. */
  readonly resourcesMs: number;
}

/** Cleans a page, fetches what it shows, and points it at the copies. */
export async function makeSnapshot(
  { request, address, html, at, resourcesMs }: SnapshotWork,
  pages: PageFetcher,
  progress: (percent: number) => void,
): Promise<GeneratedSet> {
  const tree = fromHtml(html);
  const base = baseOf(tree, address);
  const scripts = removeActive(tree);
  const assets = new PageAssets(pages, AbortSignal.timeout(resourcesMs), (done, known) =>
    progress(10 + Math.floor((80 * done) / known)),
  );
  const rewriter = new PageRewriter(assets, new StylesheetRewriter(assets), base, address);
  const { styles } = await rewriter.rewrite(tree, styleModeOf(request));
  const title = titleOf(tree) || new URL(address).hostname;
  const isReact = request.framework === 'react';
  return {
    name: title,
    notes: notesOf(request, tree, scripts, assets),
    files: [
      ...(isReact ? reactFiles(tree, title, styles) : [{ path: 'index.html', content: htmlOf(tree) }]),
      ...[...assets.files].map(([name, content]): GeneratedFile => ({ path: `assets/${name}`, content })),
      {
        path: 'SOURCE.md',
        content: sourceNote({ asked: request.url!, address, at, scripts, leftOut: assets.leftOut }),
      },
    ],
  };
}

function styleModeOf({ framework, styling }: GenerationRequest): StyleMode {
  if (framework === 'react') return 'collected';
  return styling === 'inline_styles' ? 'elements' : 'files';
}

function baseOf(tree: Root, address: string): string {
  const href = String(elementNamed(tree, 'base')?.properties.href ?? '');
  const isUsable = href !== '' && !isActiveAddress(href) && URL.canParse(href, address);
  return isUsable ? new URL(href, address).href : address;
}

function titleOf(tree: Root): string {
  const head = elementNamed(tree, 'head');
  const title = head && elementNamed(head, 'title');
  return title ? textOfTree(title).replace(/\s+/g, ' ').trim() : '';
}

function htmlOf(tree: Root): string {
  const head = elementNamed(tree, 'head');
  if (head) {
    const charset: Element = {
      type: 'element',
      tagName: 'meta',
      properties: { charSet: 'utf-8' },
      children: [],
    };
    head.children = [
      charset,
      ...head.children.filter((child) => child.type !== 'element' || child.properties.charSet === undefined),
    ];
  }
  return `${toHtml(tree)}\n`;
}

function notesOf(request: GenerationRequest, tree: Root, scripts: number, assets: PageAssets): string[] {
  const notes: string[] = [];
  if (request.styling === 'tailwind') {
    notes.push("styling tailwind was not applied: the snapshot keeps the site's own stylesheets.");
  }
  if (request.uiLibrary !== null) {
    notes.push(`uiLibrary ${request.uiLibrary} was not applied: the snapshot keeps the site's own markup.`);
  }
  if (scripts > 0 && textOfTree(tree).replace(/\s+/g, ' ').trim().length < LITTLE_TEXT) {
    notes.push(
      'The page seems to be rendered by script, which a snapshot does not run: little text was found.',
    );
  }
  if (assets.leftOut.length > 0) {
    notes.push(`${assets.leftOut.length} resources were left out; SOURCE.md names them.`);
  }
  return notes;
}
