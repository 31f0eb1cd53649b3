import './styles/tokens.css';
import './styles/base.css';
import './styles/components.css';
import './styles/patterns.css';
import './styles/shell.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { giveHeadStart } from './app/head-start';
import { followNewRelease } from './app/new-release';
import { queryClient } from './app/query-client';
import { router } from './app/router';

followNewRelease();
giveHeadStart(router);

const place = document.getElementById('app');
if (!place) throw new Error('index.html has no place for the app.');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
