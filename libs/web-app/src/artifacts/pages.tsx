import './artifacts.css';
import { Route, Routes } from 'react-router';
import { useFlag } from '../app/session';
import { NotFoundPage, SwitchedOffPage } from '../pages/not-found-page';
import { ArtifactPage } from './artifact/artifact-page';
import { ChartPage } from './charts/chart-page';
import { ChartsPage } from './charts/charts-page';
import { ComparePage } from './compare/compare-page';
import { LibraryPage } from './library/library-page';
import { PlaygroundPage } from './playground/playground-page';
import { ArtifactSettingsPage } from './settings/settings-page';

/** All pages under `/projects/{project}/artifacts`. */
export default function ArtifactPages() {
  const on = useFlag('artifacts.enabled');
  const typed = useFlag('artifacts.typed.enabled');
  if (!on) return <SwitchedOffPage />;
  return (
    <Routes>
      <Route index element={<LibraryPage />} />
      <Route path="settings" element={<ArtifactSettingsPage />} />
      <Route path="charts" element={typed ? <ChartsPage /> : <SwitchedOffPage />} />
      <Route path="charts/:chartId" element={typed ? <ChartPage /> : <SwitchedOffPage />} />
      <Route path=":artifactId" element={<ArtifactPage />} />
      <Route path=":artifactId/playground" element={<PlaygroundPage />} />
      <Route path=":artifactId/compare" element={<ComparePage />} />
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}
