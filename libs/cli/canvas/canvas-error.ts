import { ExitCode } from '../core/exit-codes.js';
import { Failure } from '../core/failure.js';

/** A canvas that cannot be compiled: names file and line, and the way round. */
export class CanvasError extends Failure {
  constructor(
    readonly file: string,
    readonly line: number,
    readonly reason: string,
  ) {
    super(
      ExitCode.failed,
      `${file}:${line}`,
      `${reason.replace(/[.\s]+$/, '')}. Push with --raw to store the file as it is.`,
    );
  }
}

/** Line of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
