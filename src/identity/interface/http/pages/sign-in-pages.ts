import { html } from './html.js';
import type { GatePage } from './page-sender.js';
import { errorSummary, type FieldError, hidden, textField } from './parts.js';

export interface SignInPageContent {
  readonly csrf: string;
  readonly next: string | null;
  readonly byPassword: boolean;
  readonly byCompany: boolean;
  /** Whether the instance can send mail. */
  readonly mail: boolean;
  /** Whether people may register. */
  readonly open: boolean;
  readonly email?: string;
  readonly errors?: readonly FieldError[];
  readonly status?: number;
}

export function signInPage(content: SignInPageContent): GatePage {
  const { csrf, next, email = '', errors = [], status, byPassword, byCompany, mail, open } = content;
  const query = next ? `?next=${encodeURIComponent(next)}` : '';
  return {
    status,
    title: errors.length > 0 ? 'Error: Sign in' : 'Sign in',
    popUp: true,
    body: html`<h1>Sign in</h1>
${errorSummary(errors)}
${
  byCompany &&
  html`<p class="gate__form"><a class="btn" data-variant="${byPassword ? 'plain' : 'primary'}" data-size="lg" data-wide href="/login/company${query}">Sign in through your company</a></p>`
}
${
  byPassword &&
  html`${byCompany && html`<p class="muted">Or with a password:</p>`}<form class="gate__form" method="post" action="/login">
${hidden({ _csrf: csrf, next })}
${textField({ name: 'email', label: 'E-mail', type: 'email', value: email, autocomplete: 'username', maxLength: 254, errors, autofocus: errors.length === 0 })}
${textField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', errors })}
<button class="btn" data-variant="primary" data-size="lg" data-wide type="submit">Sign in</button>
</form>
${
  mail
    ? html`<p class="muted"><a href="/forgot-password">Forgot the password?</a>${open ? html` No account yet? <a href="/register${query}">Register</a>` : ' No account yet? Ask an administrator of this instance.'}</p>`
    : html`<p class="muted">No account, or no way in any more? Ask an administrator of this instance.</p>`
}`
}`,
  };
}

export interface SignOutPageContent {
  readonly csrf: string;
  readonly next: string | null;
  readonly email: string;
  readonly errors?: readonly FieldError[];
  readonly status?: number;
}

export function signOutPage({ csrf, next, email, errors = [], status }: SignOutPageContent): GatePage {
  return {
    status,
    title: 'Sign out',
    popUp: true,
    body: html`<h1>Sign out of this browser?</h1>
${errorSummary(errors)}
<p>You are signed in as <bdi class="strong">${email}</bdi>. Drafts that you have not sent are taken away with the session. Connected apps stay signed in.</p>
<form class="gate__form" method="post" action="/logout">
${hidden({ _csrf: csrf, next })}
<div class="row gate__acts">
<a class="btn" data-size="lg" href="${next ?? '/'}">Stay signed in</a>
<button class="btn" data-size="lg" data-variant="primary" type="submit">Sign out</button>
</div>
</form>`,
  };
}

/** On the way to the sign-out of the company. */
export function leaveCompanyPage(address: string): GatePage {
  return {
    title: 'Signed out',
    body: html`<h1>You are signed out</h1>
<p>Your company is told next, so that nobody else signs in from this browser.</p>
<p><a class="btn" data-size="lg" href="${address}">Sign out there</a></p>`,
  };
}
