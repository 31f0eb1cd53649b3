import { Navigate, Route, Routes } from 'react-router';
import { useFlag } from '../app/session';
import { NotFoundPage, SwitchedOffPage } from '../pages/not-found-page';
import './board.css';
import { CardByNumber, CardPage } from './card/card-page';
import { BoardPage } from './columns/board-page';
import { BoardSpace } from './data/board-space';
import { BacklogPage } from './list/backlog-page';
import { FinishedPage, FirstFinished } from './list/finished-page';
import { BoardSettingsPage } from './settings/board-settings-page';

/** All pages of the board of one project. Three addresses outside `/board` lead here too, see the router. */
export default function BoardPages() {
  const on = useFlag('board.enabled');
  if (!on) return <SwitchedOffPage />;
  return (
    <BoardSpace>
      <Routes>
        <Route element={<BoardPage />}>
          <Route index />
          <Route path="cards/new" />
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
