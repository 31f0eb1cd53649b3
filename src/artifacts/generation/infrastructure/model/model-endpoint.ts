import {
  ArtifactGenerator,
  type GeneratedSet,
  type GenerationContext,
  GenerationFailed,
  type Support,
} from '../../application/ports/artifact-generator.js';
import type { GenerationRequest } from '../../domain/generation-request.js';
import { answeredFiles, networkProblems } from './answered-files.js';
import { promptText, systemInstructions } from './instructions.js';
import type { ChatTurn, ModelChat } from './model-chat.js';

const ANSWER_MS = 300_000;
const CORRECTIONS = 2;
const NAME_CHARACTERS = 60;

/** Lets a configured model write the files of a prompt. What cannot be stored goes back to it, at most twice. */
export class ModelEndpoint extends ArtifactGenerator {
  override readonly key = 'model-endpoint';

  constructor(
    /** Null when no endpoint is configured. */
    private readonly chat: Pick<ModelChat, 'answer'> | null,
    private readonly answerMs = ANSWER_MS,
  ) {
    super();
  }

  override async supports({ type }: GenerationRequest): Promise<Support> {
    if (type !== 'p2c') return { yes: false, why: 'model-endpoint takes prompts only' };
    return this.chat ? { yes: true } : { yes: false, why: 'no model endpoint is configured' };
  }

  override async generate(request: GenerationRequest, context: GenerationContext): Promise<GeneratedSet> {
    if (!this.chat) throw new GenerationFailed('No model endpoint is configured any more.');
    const timeUp = AbortSignal.timeout(this.answerMs);
    const signal = AbortSignal.any([context.signal, timeUp]);
    const system = systemInstructions(request);
    const turns: ChatTurn[] = [{ role: 'user', content: promptText(request) }];
    context.progress(10);
    for (let corrections = 0; ; corrections += 1) {
      const text = await this.answer(system, turns, signal, timeUp);
      context.progress(60 + 10 * corrections);
      const found = answeredFiles(text);
      const problems =
        'problem' in found
          ? [found.problem]
          : [...context.problemsOf(found.files), ...networkProblems(found.files)];
      if (problems.length === 0 && 'files' in found) {
        return {
          name: found.name ?? request.prompt!.slice(0, NAME_CHARACTERS),
          files: found.files,
          notes: [],
        };
      }
      if (corrections === CORRECTIONS) {
        throw new GenerationFailed(`The model did not make files that can be stored: ${problems.join(' ')}`);
      }
      turns.push(
        { role: 'assistant', content: text },
        {
          role: 'user',
          content: `This cannot be used:\n- ${problems.join('\n- ')}\nAnswer again with the whole object, mended.`,
        },
      );
    }
  }

  private async answer(
    system: string,
    turns: readonly ChatTurn[],
    signal: AbortSignal,
    timeUp: AbortSignal,
  ): Promise<string> {
    try {
      return await this.chat!.answer(system, turns, signal);
    } catch (error) {
      if (!timeUp.aborted || error instanceof GenerationFailed) throw error;
      throw new GenerationFailed(
        `The model did not answer within ${Math.round(this.answerMs / 1000)} seconds.`,
      );
    }
  }
}
