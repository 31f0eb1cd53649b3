import { Worker } from 'node:worker_threads';
import { SURROUNDINGS, WORKER } from './sandbox.js';

export interface Limits {
  readonly milliseconds: number;
  readonly megabytes: number;
}

export const FIRST_RENDER_LIMITS: Limits = { milliseconds: 10_000, megabytes: 256 };

/** A script of the page, and which line of which canvas its first line is. */
export interface Program {
  readonly text: string;
  readonly filename: string;
  readonly lineOffset: number;
  /** May fail: what it would have shown is shown in the browser alone. */
  readonly optional?: true;
}

export interface FirstRender {
  /** Markup as the page opens, then of each screen. */
  readonly pages: readonly string[];
  /** CSS rules that the markup needs. */
  readonly rules: readonly string[];
}

/** The code of a canvas failed, was too slow or took too much memory. */
export class FirstRenderFailed extends Error {
  constructor(
    message: string,
    /** Place in the canvas, when the error names one. */
    readonly file: string | null,
    readonly line: number | null,
  ) {
    super(message);
  }
}

/**
 * Runs the logic of a canvas once, in a thread and a context of its own.
 * @throws FirstRenderFailed
 */
export async function firstRender(
  renderer: string,
  programs: readonly Program[],
  name: string,
  screens: readonly Readonly<Record<number, boolean>>[],
  limits: Limits = FIRST_RENDER_LIMITS,
): Promise<FirstRender> {
  const worker = new Worker(WORKER, {
    eval: true,
    env: {},
    stdin: false,
    stdout: true,
    stderr: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: limits.megabytes, maxYoungGenerationSizeMb: 32 },
    workerData: {
      surroundings: SURROUNDINGS,
      renderer,
      programs,
      call: `${JSON.stringify(name)}, ${JSON.stringify(screens)}`,
    },
  });
  try {
    const answer = await answerOf(worker, limits);
    if (answer.json !== undefined) return JSON.parse(answer.json) as FirstRender;
    throw placed(answer, programs);
  } finally {
    await worker.terminate();
  }
}

interface Answer {
  readonly json?: string;
  readonly message?: string;
  readonly stack?: string;
}

function answerOf(worker: Worker, limits: Limits): Promise<Answer> {
  return new Promise((done) => {
    const timer = setTimeout(
      () => done({ message: `it took longer than ${limits.milliseconds / 1000} s` }),
      limits.milliseconds,
    );
    const end = (answer: Answer) => {
      clearTimeout(timer);
      done(answer);
    };
    worker.once('message', end);
    worker.once('error', (error: NodeJS.ErrnoException) =>
      end({
        message:
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? `it took more than ${limits.megabytes} MB`
            : error.message,
      }),
    );
    worker.once('exit', () => end({ message: 'it ended the thread' }));
  });
}

/** The first line of the stack that stands in a canvas. */
function placed({ message = '', stack = '' }: Answer, programs: readonly Program[]): FirstRenderFailed {
  for (const line of stack.split('\n')) {
    const found = programs.find(({ filename }) => line.includes(`${filename}:`));
    const number = found && new RegExp(`${escapeRegExp(found.filename)}:(\\d+)`).exec(line)?.[1];
    if (found && number) return new FirstRenderFailed(message, found.filename, Number(number));
  }
  return new FirstRenderFailed(message, null, null);
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
