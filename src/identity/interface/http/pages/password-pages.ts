import { html } from './html.js';
import type { GatePage } from './page-sender.js';
import { errorSummary, type FieldError, hidden, textField } from './parts.js';
import { PASSWORD_HINT } from './registration-pages.js';

export interface ForgotPageContent {
  readonly csrf: string;
  readonly email?: string;
  readonly errors?: readonly FieldError[];
  readonly status?: number;
}

/** Asks where the link should go. */
export function forgotPage({ csrf, email = '', errors = [], status }: ForgotPageContent): GatePage {
  return {
    status,
    title: errors.length > 0 ? 'Error: New password' : 'New password',
    body: html`<h1>Ask for a new password</h1>
${errorSummary(errors)}
<form class="gate__form" method="post" action="/forgot-password">
${hidden({ _csrf: csrf })}
${textField({ name: 'email', label: 'E-mail', type: 'email', value: email, hint: 'A link to choose a new password goes there.', autocomplete: 'username', maxLength: 254, errors, autofocus: errors.length === 0 })}
<button class="btn" data-variant="primary" data-size="lg" data-wide type="submit">Send the link</button>
</form>
<p class="muted"><a href="/login">Back to sign-in</a></p>`,
  };
}

/** The same whether somebody has the address or not. */
export function forgotSentPage(email: string): GatePage {
  return {
    title: 'Check your mail',
    body: html`<h1>Check your mail</h1>
<p>If <bdi class="strong">${email}</bdi> has an account, a link to choose a new password is on its way. It is good for one hour.</p>
<p class="muted">Nothing there? Look into the folder for spam. At most three mails an hour go to one address.</p>
<p><a class="btn" data-size="lg" href="/login">Back to sign-in</a></p>`,
  };
}

/** Where no mail can be sent. */
export function noMailPage(): GatePage {
  return {
    title: 'New password',
    body: html`<h1>Ask an administrator</h1>
<p>This instance cannot send mail. An administrator can give you a link to choose a new password.</p>
<p><a class="btn" data-size="lg" href="/login">Back to sign-in</a></p>`,
  };
}

export interface ResetPageContent {
  readonly csrf: string;
  readonly token: string;
  readonly email: string;
  /** True for an account that has no password yet. */
  readonly first: boolean;
  readonly errors?: readonly FieldError[];
  readonly status?: number;
}

/** Takes the new password. */
export function resetPage({ csrf, token, email, first, errors = [], status }: ResetPageContent): GatePage {
  const heading = first ? 'Choose your password' : 'Choose a new password';
  return {
    status,
    title: errors.length > 0 ? `Error: ${heading}` : heading,
    body: html`<h1>${heading}</h1>
${errorSummary(errors)}
<form class="gate__form" method="post" action="/reset-password">
${hidden({ _csrf: csrf, token })}
<p>For <bdi class="strong">${email}</bdi>.${!first && ' All your sessions end; connected apps stay connected.'}</p>
<input type="hidden" name="username" value="${email}" autocomplete="username" />
${textField({ name: 'password', label: 'New password', type: 'password', hint: PASSWORD_HINT, autocomplete: 'new-password', errors, autofocus: errors.length === 0 })}
<button class="btn" data-variant="primary" data-size="lg" data-wide type="submit">Set password and sign in</button>
</form>`,
  };
}
