import { errorPage } from './error-page.js';
import { html } from './html.js';
import type { GatePage } from './page-sender.js';

/** For every page that could make the first account, until the instance is installed. */
export function notInstalledPage(): GatePage {
  return errorPage({
    status: 503,
    heading: 'This instance is not installed yet',
    sentence: 'Whoever runs it makes the first administrator first. Come back after that.',
    action: null,
  });
}

/** Says why nobody can register. */
export function registrationClosedPage(status: number, reason: string): GatePage {
  return {
    status,
    title: 'Registration is closed',
    body: html`<h1>Registration is closed</h1>
<p>${reason}</p>
<p><a class="btn" data-size="lg" href="/login">Go to sign-in</a></p>`,
  };
}
