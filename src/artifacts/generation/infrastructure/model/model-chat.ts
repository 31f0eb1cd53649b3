import type { ModelSettings } from '#libs/configuration/artifact-values.js';
import { GenerationFailed } from '../../application/ports/artifact-generator.js';
import { type ApiAnswer, type ApiRequest, ApiUnreachable, type ConfiguredApi } from '../configured-api.js';

export const MAX_OUTPUT_TOKENS = 32_000;

const NEWER_LIMIT = 'max_completion_tokens';

export interface ChatTurn {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** A conversation with a model behind one of the two common APIs. */
export class ModelChat {
  private limitName = 'max_tokens';

  constructor(
    private readonly api: Pick<ConfiguredApi, 'ask'>,
    private readonly settings: ModelSettings,
  ) {}

  /** Text of the answer. @throws GenerationFailed with what went wrong, without what the endpoint said. */
  async answer(system: string, turns: readonly ChatTurn[], signal: AbortSignal): Promise<string> {
    const { status, json } = await this.ask(system, turns, signal);
    if (status === 401 || status === 403)
      throw new GenerationFailed('The model endpoint refused the key of this server.');
    if (status === 429) throw new GenerationFailed('The model endpoint is busy. Try again later.');
    if (status !== 200) throw new GenerationFailed(`The model endpoint answered with status ${status}.`);
    const { text, isCut } = this.settings.api === 'openai' ? openAiText(json) : anthropicText(json);
    if (isCut)
      throw new GenerationFailed(
        `The answer of the model is longer than ${MAX_OUTPUT_TOKENS} tokens. Ask for less at once.`,
      );
    if (text === null) throw new GenerationFailed('The model endpoint answered with nothing.');
    return text;
  }

  private async ask(system: string, turns: readonly ChatTurn[], signal: AbortSignal) {
    const { api, name, key } = this.settings;
    try {
      if (api === 'openai') return await this.askOpenAi(system, turns, signal);
      return await this.api.ask({
        path: '/v1/messages',
        headers: { 'anthropic-version': '2023-06-01', ...(key === null ? {} : { 'x-api-key': key }) },
        body: { model: name, max_tokens: MAX_OUTPUT_TOKENS, system, messages: turns },
        signal,
      });
    } catch (error) {
      if (error instanceof ApiUnreachable)
        throw new GenerationFailed('The model endpoint could not be reached.', { cause: error });
      throw error;
    }
  }

  /** Newer models of this API know the limit by another name alone, and refuse the older one. */
  private async askOpenAi(
    system: string,
    turns: readonly ChatTurn[],
    signal: AbortSignal,
  ): Promise<ApiAnswer> {
    const { name, key } = this.settings;
    const request = (limit: string): ApiRequest => ({
      path: '/chat/completions',
      headers: key === null ? {} : { authorization: `Bearer ${key}` },
      body: {
        model: name,
        [limit]: MAX_OUTPUT_TOKENS,
        messages: [{ role: 'system', content: system }, ...turns],
      },
      signal,
    });
    const answer = await this.api.ask(request(this.limitName));
    if (answer.status !== 400 || this.limitName === NEWER_LIMIT) return answer;
    const again = await this.api.ask(request(NEWER_LIMIT));
    if (again.status === 200) this.limitName = NEWER_LIMIT;
    return again.status === 400 ? answer : again;
  }
}

interface Answer {
  readonly text: string | null;
  readonly isCut: boolean;
}

function openAiText(json: unknown): Answer {
  const choice = (json as { choices?: { message?: { content?: unknown }; finish_reason?: unknown }[] } | null)
    ?.choices?.[0];
  const content = choice?.message?.content;
  return {
    text: typeof content === 'string' && content !== '' ? content : null,
    isCut: choice?.finish_reason === 'length',
  };
}

function anthropicText(json: unknown): Answer {
  const answer = json as { content?: { type?: unknown; text?: unknown }[]; stop_reason?: unknown } | null;
  const texts = Array.isArray(answer?.content)
    ? answer.content.filter((block) => block.type === 'text').map((block) => String(block.text ?? ''))
    : [];
  return { text: texts.join('') || null, isCut: answer?.stop_reason === 'max_tokens' };
}
