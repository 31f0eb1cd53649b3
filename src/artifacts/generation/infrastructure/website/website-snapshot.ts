import { Injectable } from '@nestjs/common';
import type { Element, Root } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { toHtml } from 'hast-util-to-html';
import { Clock } from '#libs/kernel/clock.js';
import {
  ArtifactGenerator,
  type GeneratedFile,
  type GeneratedSet,
  type GenerationContext,
  GenerationFailed,
  type Support,
} from '../../application/ports/artifact-generator.js';
import { type FetchedPage, PageFetcher, PageRefused } from '../../application/ports/page-fetcher.js';
import { PageRenderer } from '../../application/ports/page-renderer.js';
import type { GenerationRequest } from '../../domain/generation-request.js';
import { isActiveAddress, removeActive } from './active-content.js';
import { decodedText } from './decoded-text.js';
import { PageAssets } from './page-assets.js';
import { PageRewriter, type StyleMode } from './page-rewriter.js';
import { elementNamed, textOfTree } from './page-tree.js';
import { reactFiles } from './react-page.js';
import { sourceNote } from './source-note.js';
import { StylesheetRewriter } from './stylesheet-rewriter.js';

const SNAPSHOT_MS = 120_000;
const MAX_PAGE_BYTES = 10 * 1024 * 1024;
const LITTLE_TEXT = 200;

/** A copy of a web page that needs no network and runs no script. */
@Injectable()
export class WebsiteSnapshot extends ArtifactGenerator {
  override readonly key = 'website-snapshot';

  constructor(
    private readonly pages: PageFetcher,
    private readonly renderer: PageRenderer,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async supports({ type }: GenerationRequest): Promise<Support> {
    return type === 'l2c' ? { yes: true } : { yes: false, why: 'website-snapshot copies web pages only' };
  }

  override async generate(request: GenerationRequest, context: GenerationContext): Promise<GeneratedSet> {
    const signal = AbortSignal.any([context.signal, AbortSignal.timeout(SNAPSHOT_MS)]);
    const { page, html } = await this.read(request.url!, signal);
    context.progress(10);
    const tree = fromHtml(html);
    const address = page.url;
    const base = baseOf(tree, address);
    const scripts = removeActive(tree);
    const assets = new PageAssets(this.pages, signal, (done, known) =>
      context.progress(10 + Math.floor((80 * done) / known)),
    );
    const rewriter = new PageRewriter(assets, new StylesheetRewriter(assets), base, address);
    const { styles } = await rewriter.rewrite(tree, styleModeOf(request));
    // A cancel is no time limit of the page: what is half done is of no use then.
    context.signal.throwIfAborted();
    const title = titleOf(tree) || new URL(address).hostname;
    const notes = notesOf(request, tree, scripts, assets);
    const pageFiles =
      request.framework === 'react'
        ? reactFiles(tree, title, styles)
        : [{ path: 'index.html', content: htmlOf(tree) }];
    return {
      name: title,
      notes,
      files: [
        ...pageFiles,
        ...[...assets.files].map(([name, content]): GeneratedFile => ({ path: `assets/${name}`, content })),
        {
          path: 'SOURCE.md',
          content: sourceNote({
            asked: request.url!,
            address,
            at: this.clock.now(),
            scripts,
            leftOut: assets.leftOut,
          }),
        },
      ],
    };
  }

  /** The page as its server sends it, or as a browser has rendered it where one is configured. */
  private async read(url: string, signal: AbortSignal): Promise<{ page: FetchedPage; html: string }> {
    try {
      const accept = 'text/html,application/xhtml+xml;q=0.9';
      const page = await this.pages.fetch(url, { accept, maxBytes: MAX_PAGE_BYTES, signal });
      if (!/^(text\/html|application\/xhtml\+xml|)$/.test(page.contentType)) {
        throw new PageRefused(`It is ${page.contentType}, no web page.`);
      }
      return { page, html: (await this.renderer.render(page.url, signal)) ?? decodedText(page) };
    } catch (error) {
      if (error instanceof PageRefused)
        throw new GenerationFailed(`The page could not be read. ${error.message}`);
      throw error;
    }
  }
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
