// Runs before the first paint, so that a chosen theme never flashes the other one. The app writes the same key.
try {
  const theme = localStorage.getItem('loupe.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage can be switched off; the theme of the system holds then.
}
