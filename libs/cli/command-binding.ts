import type { Command } from 'commander';
import type { CommandContext } from './core/context.js';

/** What a command does; a number it answers is the exit code, and no answer means done. */
export type Action<Options> = (
  context: CommandContext,
  options: Options,
  words: readonly string[],
) => Promise<unknown>;

/** Binds an action to a command; the code of the action is loaded when it is run. */
export type Bind = <Options>(command: Command, load: () => Promise<Action<Options>>) => void;
