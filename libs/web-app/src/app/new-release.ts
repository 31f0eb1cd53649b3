const KEY = 'loupe.reloaded-at';

/** After a deploy the old chunks are gone: a page that misses one reloads itself, once in ten seconds at most. */
export function followNewRelease(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - last < 10_000) return;
    event.preventDefault();
    sessionStorage.setItem(KEY, String(Date.now()));
    window.location.reload();
  });
}
