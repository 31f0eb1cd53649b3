import { createContext, useContext } from 'react';
import type { boardPaths } from '../api';
import type { Board } from '../model/board-model';
import type { Drag } from './drag';

/** What the parts of the board page share; none of it changes while the page stands. */
export interface BoardActions {
  readonly paths: ReturnType<typeof boardPaths>;
  readonly mayWrite: boolean;
  readonly drag: Drag;
  /** The cards that go along when this one is lifted, or null when it stays. */
  readonly lift: (cardId: string) => readonly string[] | null;
  /** The board as it is shown now. */
  readonly shown: () => Board | null;
  /** Opens the card in the drawer. */
  readonly open: (number: number) => void;
  readonly more: (laneId: string, columnId: string) => Promise<void>;
  readonly add: (columnId: string, laneId: string, title: string) => Promise<boolean>;
}

export const BoardActionsContext = createContext<BoardActions | null>(null);

export function useBoardActions(): BoardActions {
  const actions = useContext(BoardActionsContext);
  if (!actions) throw new Error('This part stands outside the board page.');
  return actions;
}
