import { setTimeout as pause } from 'node:timers/promises';
import {
  ArtifactGenerator,
  type GeneratedSet,
  type GenerationContext,
  GenerationFailed,
  type Support,
} from '../../application/ports/artifact-generator.js';
import type { PageFetcher } from '../../application/ports/page-fetcher.js';
import type { GenerationRequest } from '../../domain/generation-request.js';
import type { ConfiguredApi } from '../configured-api.js';
import { PageAssets } from '../website/page-assets.js';
import { FigmaClient } from './figma-client.js';
import { frameFiles } from './frame-files.js';
import { type KeptPictures, wantedBy } from './frame-tree.js';

const MAX_NODES = 20_000;
/** Nodes that Figma renders in one request. */
const RENDER_AT_ONCE = 100;

/** Turns frames of a Figma file into pages, over its REST API. */
export class FigmaRest extends ArtifactGenerator {
  override readonly key = 'figma-rest';

  constructor(
    private readonly api: Pick<ConfiguredApi, 'ask'>,
    private readonly pages: PageFetcher,
    private readonly wait = (seconds: number, signal: AbortSignal): Promise<void> =>
      pause(seconds * 1000, undefined, { signal }),
  ) {
    super();
  }

  override async supports({ type }: GenerationRequest): Promise<Support> {
    return type === 'f2c' ? { yes: true } : { yes: false, why: 'figma-rest takes Figma frames only' };
  }

  override async generate(request: GenerationRequest, context: GenerationContext): Promise<GeneratedSet> {
    const { figmaToken, signal } = context;
    if (figmaToken === null) {
      throw new GenerationFailed(
        'The Figma token is kept for 30 minutes and is gone. Call artifact_create again, with the X-Figma-Token header.',
      );
    }
    const client = new FigmaClient(this.api, figmaToken, request.fileKey!, signal, this.wait);
    const file = await client.nodes(request.nodesId);
    context.progress(20);
    const wanted = wantedBy(file.nodes);
    if (wanted.count > MAX_NODES) {
      throw new GenerationFailed(`The frames hold more than ${MAX_NODES} layers. Ask for fewer at once.`);
    }
    const assets = new PageAssets(this.pages, signal, (done, known) =>
      context.progress(40 + Math.floor((50 * done) / known)),
    );
    const pictures = await this.pictures(client, wanted, assets);
    signal.throwIfAborted();
    const [first] = file.nodes;
    const title =
      (file.nodes.length === 1 ? first?.name : file.name)?.trim() || file.name.trim() || 'Figma frames';
    return {
      name: title,
      files: [
        ...frameFiles(request, title, file.nodes, pictures),
        ...[...assets.files].map(([name, content]) => ({ path: `assets/${name}`, content })),
      ],
      notes: notesOf(request, wanted.fonts, assets.leftOut.length),
    };
  }

  private async pictures(
    client: FigmaClient,
    wanted: { readonly fills: readonly string[]; readonly drawn: readonly string[] },
    assets: PageAssets,
  ): Promise<KeptPictures> {
    const fillAddresses = wanted.fills.length > 0 ? await client.imageFills() : {};
    const drawnAddresses = await rendered(client, wanted.drawn);
    const keep = async (names: readonly string[], addresses: Readonly<Record<string, string | null>>) => {
      const kept = new Map<string, string>();
      await Promise.all(
        names.map(async (name) => {
          const address = addresses[name];
          const file = address
            ? await assets.keep(address, 'image')
            : assets.leave(name, 'Figma gave no picture');
          if (file !== null) kept.set(name, file);
        }),
      );
      return kept;
    };
    const [fills, drawn] = await Promise.all([
      keep(wanted.fills, fillAddresses),
      keep(wanted.drawn, drawnAddresses),
    ]);
    return { fills, drawn };
  }
}

/** As SVG where Figma can, else as PNG. */
async function rendered(client: FigmaClient, ids: readonly string[]): Promise<Record<string, string | null>> {
  const addresses: Record<string, string | null> = {};
  for (let from = 0; from < ids.length; from += RENDER_AT_ONCE) {
    const some = ids.slice(from, from + RENDER_AT_ONCE);
    Object.assign(addresses, await client.rendered(some, 'svg'));
    const missing = some.filter((id) => !addresses[id]);
    if (missing.length > 0) Object.assign(addresses, await client.rendered(missing, 'png'));
  }
  return addresses;
}

function notesOf(request: GenerationRequest, fonts: readonly string[], leftOut: number): string[] {
  const notes: string[] = [];
  if (request.uiLibrary !== null && request.uiLibrary !== 'clean_react') {
    notes.push(`uiLibrary ${request.uiLibrary} was not applied: the frames become plain elements.`);
  }
  if (fonts.length > 0) {
    notes.push(`Fonts are named and not included: ${fonts.slice(0, 10).join(', ')}.`);
  }
  if (leftOut > 0) notes.push(`${leftOut} pictures were left out.`);
  return notes;
}
