import { GenerationFailed } from '../../application/ports/artifact-generator.js';
import { type ApiAnswer, ApiUnreachable, type ConfiguredApi } from '../configured-api.js';
import type { FigmaNode } from './figma-node.js';

const RETRIES = 3;
const MAX_WAIT_SECONDS = 60;

export interface FigmaFile {
  readonly name: string;
  /** In the order in which they were asked for. */
  readonly nodes: readonly FigmaNode[];
}

/** The REST API of Figma, as one person with one token. The token is in no message. */
export class FigmaClient {
  constructor(
    private readonly api: Pick<ConfiguredApi, 'ask'>,
    private readonly token: string,
    private readonly fileKey: string,
    private readonly signal: AbortSignal,
    private readonly pause: (seconds: number, signal: AbortSignal) => Promise<void>,
  ) {}

  /** @throws GenerationFailed naming the first node that the file does not have. */
  async nodes(ids: readonly string[]): Promise<FigmaFile> {
    const answer = (await this.get(`/v1/files/${this.fileKey}/nodes?ids=${listOf(ids)}`)) as {
      name?: unknown;
      nodes?: Record<string, { document?: FigmaNode } | null>;
    } | null;
    const nodes = ids.map((id) => {
      const node = answer?.nodes?.[id]?.document;
      if (!node) throw new GenerationFailed(`Figma file has no node ${id}.`);
      return node;
    });
    return { name: typeof answer?.name === 'string' ? answer.name : '', nodes };
  }

  /** Addresses of the pictures that fills of the file use, by their reference. */
  async imageFills(): Promise<Readonly<Record<string, string>>> {
    const answer = (await this.get(`/v1/files/${this.fileKey}/images`)) as {
      meta?: { images?: Record<string, string> };
    } | null;
    return answer?.meta?.images ?? {};
  }

  /** Addresses of rendered nodes; null for those that cannot be rendered so. */
  async rendered(
    ids: readonly string[],
    format: 'svg' | 'png',
  ): Promise<Readonly<Record<string, string | null>>> {
    const scale = format === 'png' ? '&scale=2' : '';
    const answer = (await this.get(
      `/v1/images/${this.fileKey}?ids=${listOf(ids)}&format=${format}${scale}`,
    )) as {
      images?: Record<string, string | null>;
    } | null;
    return answer?.images ?? {};
  }

  private async get(path: string): Promise<unknown> {
    for (let tries = 0; ; tries += 1) {
      const { status, retryAfter, json } = await this.ask(path);
      if (status === 200) return json;
      if (status === 403 || status === 401) throw new GenerationFailed('Figma refused the token.');
      if (status === 404) throw new GenerationFailed(`Figma has no file ${this.fileKey} for this token.`);
      if (status !== 429) throw new GenerationFailed(`Figma answered with status ${status}.`);
      if (tries === RETRIES)
        throw new GenerationFailed('Figma allows no more requests at the moment. Try again later.');
      await this.pause(Math.min(Math.max(Number(retryAfter) || 1, 0), MAX_WAIT_SECONDS), this.signal);
    }
  }

  private async ask(path: string): Promise<ApiAnswer> {
    try {
      return await this.api.ask({ path, headers: { 'x-figma-token': this.token }, signal: this.signal });
    } catch (error) {
      if (error instanceof ApiUnreachable) throw new GenerationFailed('Figma could not be reached.');
      throw error;
    }
  }
}

function listOf(ids: readonly string[]): string {
  return encodeURIComponent(ids.join(','));
}
