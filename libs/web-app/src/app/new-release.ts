const KEY = 'loupe.reloaded-at';

/** Errors that say that code did not arrive. */
const missing = new WeakSet<object>();

/** Whether this is why a page failed: its code did not arrive, as without a network. */
export function isMissingCode(error: unknown): boolean {
  return typeof error === 'object' && error !== null && missing.has(error);
}

/** Loads that go on before anybody asked for what they bring. */
let ahead = 0;

/**
 * Loads code that is needed later. When that fails nothing happens: it is loaded again when it is needed, and a page
 * that somebody works on is not reloaded for it.
 */
export async function loadAhead(load: () => Promise<unknown>): Promise<void> {
  ahead += 1;
  try {
    await load();
  } catch {
    // Whoever needs it tells.
  } finally {
    ahead -= 1;
  }
}

/**
 * After a deploy the old chunks are gone: a page that misses one reloads itself, once in ten seconds at most. Not while
 * it has no network: there it would lose what it shows.
 */
export function followNewRelease(): void {
  window.addEventListener('vite:preloadError', (event) => {
    missing.add(event.payload);
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (ahead > 0 || !navigator.onLine || Date.now() - last < 10_000) return;
    event.preventDefault();
    sessionStorage.setItem(KEY, String(Date.now()));
    window.location.reload();
  });
}
