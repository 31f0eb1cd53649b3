import { InvalidInput } from '../errors.js';

/** The sentences of a refusal, one a line, each with its argument; a test fails when nothing was refused. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof InvalidInput) return error.message;
    const { message, detail } = error as { message: string; detail?: { argument?: string } };
    return detail?.argument ? `${detail.argument}: ${message}` : message;
  }
  throw new Error('Nothing was refused.');
}
