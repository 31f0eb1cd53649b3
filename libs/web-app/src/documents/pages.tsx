import './surface/rendered-text.css';
import './documents.css';
import { Navigate, Route, Routes, useParams, useSearchParams } from 'react-router';
import { useCurrentProject } from '../app/current-project';
import { NotFoundPage } from '../pages/not-found-page';
import { documentPaths } from './api';
import { DiffPage } from './compare/diff-page';
import { DeletedPage } from './history/deleted-page';
import { HistoryPage } from './history/history-page';
import { ListPage } from './list/list-page';
import { ReviewPage, VersionPage } from './review/review-page';
import { NewPage } from './write/new-page';
import { RevisePage } from './write/revise-page';

/** All pages under `/projects/{project}/documents`. */
export default function DocumentPages() {
  return (
    <Routes>
      <Route index element={<ListPage />} />
      <Route path="new" element={<NewPage />} />
      <Route path=":documentId" element={<ToReview />} />
      <Route path=":documentId/revise" element={<RevisePage />} />
      <Route path=":documentId/review" element={<ReviewPage />} />
      <Route path=":documentId/review/history" element={<HistoryPage />} />
      <Route path=":documentId/review/versions/:number" element={<VersionPage />} />
      <Route path=":documentId/review/diff/:from/:to" element={<DiffPage />} />
      <Route path=":documentId/review/compare" element={<ToDiff />} />
      <Route path=":documentId/review/deleted" element={<DeletedPage />} />
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}

function ToReview() {
  const { documentId = '' } = useParams();
  return <Navigate replace to={documentPaths(useCurrentProject().id, documentId).review} />;
}

/** `/review/compare?from=&to=`, the address that a form makes. */
function ToDiff() {
  const { documentId = '' } = useParams();
  const [search] = useSearchParams();
  const paths = documentPaths(useCurrentProject().id, documentId);
  const [from, to] = [Number(search.get('from')), Number(search.get('to'))];
  if (!isVersion(from) || !isVersion(to)) return <Navigate replace to={paths.history} />;
  return <Navigate replace to={paths.diff(Math.min(from, to), Math.max(from, to))} />;
}

function isVersion(value: number): boolean {
  return Number.isInteger(value) && value > 0;
}
