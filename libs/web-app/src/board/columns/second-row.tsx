import { Inbox, Rows3 } from 'lucide-react';
import { Link } from 'react-router';
import { Button } from '../../components/button';
import { Select } from '../../components/field';
import { Glyph, Icon } from '../../components/icon';
import { useBoardSpace } from '../data/board-space';
import { type Board } from '../model/board-model';
import { isFiltered, viewOf } from '../model/filters';
import { STATE } from '../model/words';
import type { StateKind } from '../types';
import { useFolds } from './use-folds';

const COUNTED: readonly { kind: StateKind; count: 'stuck' | 'needsYou' | 'working'; words: string }[] = [
  { kind: 'stuck', count: 'stuck', words: 'stuck' },
  { kind: 'needs-you', count: 'needsYou', words: 'need you' },
  { kind: 'working', count: 'working', words: 'working' },
];

export interface SecondRowProps {
  readonly board: Board | undefined;
  readonly view: ReturnType<typeof viewOf>;
  readonly asList: boolean;
  readonly folds: ReturnType<typeof useFolds>;
  readonly onChange: (part: Readonly<Record<string, string | null>>) => void;
}

/** The Backlog, and what narrows the board. */
export function SecondRow({ board, view, asList, folds, onChange }: SecondRowProps) {
  const { paths } = useBoardSpace();
  const backlog = board?.columns.find((column) => column.backlog);
  return (
    <div className="board__row2">
      <Link className="btn" data-size="sm" data-drop="backlog" to={paths.backlog}>
        <Icon icon={Inbox} />
        Backlog <span className="count num">{backlog?.cards ?? ''}</span>
      </Link>
      {board && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a row of buttons
        <span className="row small muted" role="group" aria-label="Show only" data-gap="tight">
          {COUNTED.filter(({ kind, count }) => board.totals[count] > 0 || view.state === kind).map(
            ({ kind, count, words }) => (
              <Button
                key={kind}
                variant="ghost"
                size="sm"
                aria-pressed={view.state === kind}
                onClick={() => onChange({ state: view.state === kind ? null : kind })}
              >
                <Glyph name={STATE[kind].glyph} tone={STATE[kind].tone} />
                {board.totals[count]}{' '}
                {kind === 'needs-you' && board.totals[count] === 1 ? 'needs you' : words}
              </Button>
            ),
          )}
        </span>
      )}
      <span className="push" />
      {board && (
        <Select
          size="sm"
          aria-label="Type"
          value={view.type}
          onChange={(event) => onChange({ type: event.target.value })}
        >
          <option value="">Any type</option>
          {board.types.map((type) => (
            <option key={type.key} value={type.key}>
              {type.label}
            </option>
          ))}
        </Select>
      )}
      {!asList && board?.types.some((type) => type.lane) && (
        <Button
          variant="ghost"
          size="sm"
          icon={Rows3}
          aria-pressed={view.lanes}
          onClick={() => folds.setLanes(!view.lanes)}
        >
          Group by lane
        </Button>
      )}
      {isFiltered(view) && (
        <Button variant="ghost" size="sm" onClick={() => onChange({ q: null, type: null, state: null })}>
          Clear
        </Button>
      )}
    </div>
  );
}
