import { createStore, useStore } from './store';

export type Theme = 'system' | 'light' | 'dark';

/** `public/assets/theme.js` reads the same key before the first paint. */
const KEY = 'loupe.theme';

function stored(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : 'system';
  } catch {
    return 'system';
  }
}

const theme = createStore<Theme>(stored());

export function useTheme(): Theme {
  return useStore(theme);
}

export function setTheme(next: Theme): void {
  theme.set(next);
  if (next === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  try {
    if (next === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch {
    // Storage can be switched off; the choice then holds for this page.
  }
}

// Another tab changed it.
window.addEventListener('storage', (event) => {
  if (event.key === KEY) setTheme(stored());
});
