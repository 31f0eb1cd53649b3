import { useState } from 'react';

export type Layout = 'cards' | 'rows';
const LAYOUT_KEY = 'loupe.library.layout';

/** How the library is shown, kept for this browser. */
export function useLayout(): [Layout, (layout: Layout) => void] {
  const [layout, setLayout] = useState<Layout>(() => {
    try {
      return localStorage.getItem(LAYOUT_KEY) === 'rows' ? 'rows' : 'cards';
    } catch {
      return 'cards';
    }
  });
  return [
    layout,
    (next) => {
      setLayout(next);
      try {
        localStorage.setItem(LAYOUT_KEY, next);
      } catch {
        // Storage can be switched off; the choice then holds for this page.
      }
    },
  ];
}
