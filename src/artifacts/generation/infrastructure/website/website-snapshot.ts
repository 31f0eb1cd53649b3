import { Clock } from '#libs/kernel/clock.js';
import {
  ArtifactGenerator,
  type GeneratedSet,
  type GenerationContext,
  GenerationFailed,
  type Support,
} from '../../application/ports/artifact-generator.js';
import { type PageFetcher, PageRefused } from '../../application/ports/page-fetcher.js';
import type { PageRenderer } from '../../application/ports/page-renderer.js';
import type { GenerationRequest } from '../../domain/generation-request.js';
import { decodedText } from './decoded-text.js';
import type { SnapshotWork } from './snapshot-work.js';

const SNAPSHOT_MS = 120_000;
const MAX_PAGE_BYTES = 10 * 1024 * 1024;

/** Makes the files of a page that was read. */
export type SnapshotMaker = (
  work: SnapshotWork,
  context: Pick<GenerationContext, 'progress' | 'signal'>,
) => Promise<GeneratedSet>;

/** A copy of a web page that needs no network and runs no script. */
export class WebsiteSnapshot extends ArtifactGenerator {
  override readonly key = 'website-snapshot';

  constructor(
    private readonly pages: PageFetcher,
    private readonly renderer: PageRenderer,
    private readonly clock: Clock,
    private readonly make: SnapshotMaker,
  ) {
    super();
  }

  override async supports({ type }: GenerationRequest): Promise<Support> {
    return type === 'l2c' ? { yes: true } : { yes: false, why: 'website-snapshot copies web pages only' };
  }

  override async generate(request: GenerationRequest, context: GenerationContext): Promise<GeneratedSet> {
    const from = performance.now();
    const signal = AbortSignal.any([context.signal, AbortSignal.timeout(SNAPSHOT_MS)]);
    const { address, html } = await this.read(request.url!, signal);
    context.progress(10);
    const resourcesMs = Math.max(1_000, Math.floor(SNAPSHOT_MS - (performance.now() - from)));
    return this.make({ request, address, html, at: this.clock.now(), resourcesMs }, context);
  }

  /** The page as its server sends it, or as a browser has rendered it where one is configured. */
  private async read(url: string, signal: AbortSignal): Promise<{ address: string; html: string }> {
    try {
      const accept = 'text/html,application/xhtml+xml;q=0.9';
      const page = await this.pages.fetch(url, { accept, maxBytes: MAX_PAGE_BYTES, signal });
      if (!/^(text\/html|application\/xhtml\+xml|)$/.test(page.contentType)) {
        throw new PageRefused(`It is ${page.contentType}, no web page.`);
      }
      const html = (await this.renderer.render(page.url, signal)) ?? decodedText(page);
      return { address: page.url, html };
    } catch (error) {
      if (error instanceof PageRefused) {
        throw new GenerationFailed(`The page could not be read. ${error.message}`);
      }
      throw error;
    }
  }
}
