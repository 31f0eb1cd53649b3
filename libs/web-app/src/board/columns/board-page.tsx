import { Kanban, List, Plus, SlidersHorizontal } from 'lucide-react';
import { useCallback } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { useCurrentProject } from '../../app/current-project';
import { useKeys } from '../../app/keys';
import { usePage } from '../../app/page-frame';
import { ButtonLink } from '../../components/button';
import { Icon } from '../../components/icon';
import { LoadProblem, PageHead } from '../../components/page';
import { plural } from '../../components/plural';
import { Skeleton } from '../../components/progress';
import { CardDrawer } from '../card/card-drawer';
import { CreateDrawer } from '../card/create-drawer';
import { useBoardSpace } from '../data/board-space';
import { FilterField } from '../list/filter-field';
import { ListView } from '../list/list-view';
import { changed, viewOf } from '../model/filters';
import { marks } from './board-marks';
import { Columns } from './columns-view';
import { SecondRow } from './second-row';
import { focusFirstTile, focusTile } from './tile-focus';
import { useFolds } from './use-folds';
import { useShownBoard } from './use-shown-board';

/** The board of a project: columns, or lanes across them, or a list; a card opens beside it. */
export function BoardPage() {
  const project = useCurrentProject();
  const [search, setSearch] = useSearchParams();
  const { pathname } = useLocation();
  const go = useNavigate();
  const { paths, mayWrite, mayAdmin, moves } = useBoardSpace();
  const folds = useFolds(project.id);
  const view = viewOf(search, folds.lanes);
  const asList = search.get('view') === 'list';
  const opened = Number(search.get('card')) || null;
  const creating = pathname.endsWith('/cards/new');
  usePage('Board', [{ label: project.name, to: `/projects/${project.id}` }]);

  const { board, error, refetch, isStale } = useShownBoard(view);
  const total = board ? board.totals.open : null;

  const set = useCallback(
    (part: Readonly<Record<string, string | null>>, replace = true) =>
      setSearch((now) => changed(now, { ...(narrows(part) && { page: null }), ...part }), {
        replace,
        preventScrollReset: true,
      }),
    [setSearch],
  );
  const open = useCallback((number: number) => set({ card: String(number) }, false), [set]);
  const closeCard = useCallback(() => {
    const back = marks.get().open;
    set({ card: null });
    if (back) focusTile(back);
  }, [set]);

  useKeys('Board', [
    ...(mayWrite
      ? [
          { keys: 'n', label: 'Add a card', run: () => void go(paths.create()) },
          { keys: 'z', label: 'Undo the last move', run: () => moves.undo() },
        ]
      : []),
    { keys: 'm', label: 'Move the card that has the focus', run: focusFirstTile },
    { keys: 'x', label: 'Select the card that has the focus', run: focusFirstTile },
    { keys: 'f', label: 'Filter cards', run: () => document.getElementById('board-filter')?.focus() },
    {
      keys: 'l',
      label: asList ? 'Show the board' : 'Show the list',
      run: () => set({ view: asList ? null : 'list' }, false),
    },
  ]);

  return (
    <div className="board" data-list={asList || undefined}>
      <PageHead
        title="Board"
        aside={
          total !== null && (
            <span className="page-sub num wide-only" role="status">
              {plural(total, 'card')}
            </span>
          )
        }
        actions={
          <>
            <span className="board__filter">
              <FilterField
                id="board-filter"
                label="Filter cards by title or number"
                placeholder="Filter by title or number"
                value={view.q}
                onChange={(q) => set({ q })}
                onEnter={() => set({ view: 'list' }, false)}
              />
            </span>
            {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has no place among the buttons of a head */}
            <span className="segmented" role="group" aria-label="View">
              <Link
                to={{ search: changed(search, { view: null }).toString() }}
                aria-current={asList ? undefined : 'page'}
                aria-label="Board view"
              >
                <Icon icon={Kanban} />
                <span className="wide-only">Board</span>
              </Link>
              <Link
                to={{ search: changed(search, { view: 'list' }).toString() }}
                aria-current={asList ? 'page' : undefined}
                aria-label="List view"
              >
                <Icon icon={List} />
                <span className="wide-only">List</span>
              </Link>
            </span>
            {mayAdmin && (
              <Link
                className="btn"
                data-icon=""
                to={paths.settings}
                aria-label="Board settings"
                title="Board settings"
              >
                <Icon icon={SlidersHorizontal} />
              </Link>
            )}
            {mayWrite && (
              <ButtonLink id="add-card" variant="primary" icon={Plus} to={paths.create()}>
                Add card
              </ButtonLink>
            )}
          </>
        }
      />
      <SecondRow board={board} view={view} asList={asList} folds={folds} onChange={set} />
      {error && !board ? (
        <div className="page-body">
          <LoadProblem error={error} onRetry={() => void refetch()} />
        </div>
      ) : !board ? (
        <div className="page-body">
          <Skeleton lines={8} />
        </div>
      ) : asList ? (
        <ListView view={view} board={board} onOpen={open} />
      ) : (
        <Columns
          board={board}
          view={view}
          folds={folds}
          busy={isStale}
          onOpen={open}
          onClear={() => set({ q: null, type: null, state: null })}
        />
      )}
      {opened !== null && !creating && (
        <CardDrawer key={opened} number={opened} onClose={closeCard} onOpen={open} />
      )}
      {creating && mayWrite && board && <CreateDrawer board={board} />}
    </div>
  );
}

/** The list begins anew when it shows other cards. */
function narrows(part: Readonly<Record<string, string | null>>): boolean {
  return ['q', 'type', 'state'].some((name) => name in part);
}
