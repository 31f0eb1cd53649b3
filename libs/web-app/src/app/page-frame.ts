import { useLayoutEffect } from 'react';
import { createStore, useStore } from './store';

export interface Crumb {
  readonly label: string;
  /** Where it leads; the last one is the page itself and leads nowhere. */
  readonly to?: string;
}

export interface PageFrame {
  /** Names the page in the tab of the browser and in the last crumb. */
  readonly title: string;
  /** What stands before the page itself in the path at the top. */
  readonly crumbs: readonly Crumb[];
  /** Reading pages fold the sidebar to a rail. */
  readonly rail: boolean;
}

const frame = createStore<PageFrame>({ title: 'Loupe', crumbs: [], rail: false });

/** Says to the shell what page this is. Call it once in each page, also while its data is loading. */
export function usePage(
  title: string,
  crumbs: readonly Crumb[] = [],
  options: { rail?: boolean } = {},
): void {
  const rail = options.rail ?? false;
  const key = JSON.stringify(crumbs);
  useLayoutEffect(() => {
    frame.set({ title, crumbs: JSON.parse(key) as Crumb[], rail });
    document.title = title === 'Loupe' ? 'Loupe' : `${title} · Loupe`;
  }, [title, key, rail]);
}

export function usePageFrame(): PageFrame {
  return useStore(frame);
}
