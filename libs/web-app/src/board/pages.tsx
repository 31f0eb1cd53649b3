import { Navigate, Route, Routes } from 'react-router';
import { queryClient } from '../app/query-client';
import { useFlag } from '../app/session';
import { NotFoundPage, SwitchedOffPage } from '../pages/not-found-page';
import { boardApi, boardKeys, boardPaths } from './api';
import './board.css';
import { CardByNumber, CardPage } from './card/card-page';
import { BoardPage } from './columns/board-page';
import { keptFolds } from './columns/use-folds';
import { BoardSpace } from './data/board-space';
import { BacklogPage } from './list/backlog-page';
import { FinishedPage, FirstFinished } from './list/finished-page';
import { viewOf } from './model/filters';
import { BoardSettingsPage } from './settings/board-settings-page';

/** All pages of the board of one project. Three addresses outside `/board` lead here too, see the router. */
export default function BoardPages() {
  const on = useFlag('board.enabled');
  if (!on) return <SwitchedOffPage />;
  return (
    <BoardSpace>
      <Routes>
        <Route element={<BoardPage />}>
          <Route index element={null} />
          <Route path="cards/new" element={null} />
        </Route>
        <Route path="backlog" element={<BacklogPage />} />
        <Route path="terminal/:columnId" element={<FinishedPage />} />
        <Route path="done" element={<FirstFinished />} />
        <Route path="cards/:cardId" element={<CardPage />} />
        <Route path="*" element={<NotFoundPage />} />
      </Routes>
    </BoardSpace>
  );
}

/** `/projects/{id}/cards/{number}` */
export function NumberedCard() {
  return (
    <BoardSpace>
      <CardByNumber />
    </BoardSpace>
  );
}

/** `/projects/{id}/settings/board` */
export function BoardSettings() {
  const on = useFlag('board.enabled');
  if (!on) return <SwitchedOffPage />;
  return (
    <BoardSpace>
      <BoardSettingsPage />
    </BoardSpace>
  );
}

/** `/projects/{id}/backlog` */
export function BacklogAddress() {
  return <Navigate to="../board/backlog" replace />;
}

/** Asks for the board while the project is still on its way. */
export function headStart(
  { projectId }: Readonly<Record<string, string | undefined>>,
  { pathname, search }: { readonly pathname: string; readonly search: string },
): void {
  if (!projectId || pathname !== boardPaths(projectId).board) return;
  const view = viewOf(new URLSearchParams(search), keptFolds(projectId).lanes);
  void queryClient.prefetchQuery({
    queryKey: boardKeys.view(projectId, view),
    queryFn: ({ signal }) => boardApi(projectId).board(view, signal),
  });
}
