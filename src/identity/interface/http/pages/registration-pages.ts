import { PASSWORD_MAX, PASSWORD_MIN } from '../../../domain/password-rules.js';
import { html } from './html.js';
import type { GatePage } from './page-sender.js';
import { banner, errorSummary, type FieldError, hidden, textField } from './parts.js';

export const PASSWORD_HINT = `${PASSWORD_MIN} to ${PASSWORD_MAX} characters; a few unrelated words are good.`;

export interface RegisterPageContent {
  readonly csrf: string;
  /** Path that opens at the end. */
  readonly next?: string | null;
  /** Value of an invitation by an administrator. */
  readonly invite?: string | null;
  /** Address that an invitation names; it cannot be another one. */
  readonly invited?: string | null;
  readonly email?: string;
  readonly displayName?: string;
  readonly errors?: readonly FieldError[];
  readonly status?: number;
}

/** The form that makes an account. */
export function registerPage(content: RegisterPageContent): GatePage {
  const { csrf, next = null, invite = null, invited = null } = content;
  const { email = '', displayName = '', errors = [], status } = content;
  const first = errors.length === 0;
  return {
    status,
    title: first ? 'Register' : 'Error: Register',
    body: html`<h1>Make an account</h1>
${errorSummary(errors)}
<form class="gate__form" method="post" action="/register">
${hidden({ _csrf: csrf, next, invite })}
${
  invited
    ? html`<p>You are invited as <bdi class="strong">${invited}</bdi>.</p><input type="hidden" name="email" value="${invited}" autocomplete="username" />`
    : textField({
        name: 'email',
        label: 'E-mail',
        type: 'email',
        value: email,
        hint: 'A link to confirm it goes there.',
        autocomplete: 'username',
        maxLength: 254,
        errors,
        autofocus: first,
      })
}
${textField({ name: 'displayName', label: 'Name', value: displayName, hint: 'Others see it beside what you write.', autocomplete: 'name', maxLength: 100, errors, autofocus: first && invited !== null })}
${textField({ name: 'password', label: 'Password', type: 'password', hint: PASSWORD_HINT, autocomplete: 'new-password', errors })}
<button class="btn" data-variant="primary" data-size="lg" data-wide type="submit">Make my account</button>
</form>
<p class="muted">You have an account? <a href="/login${next && `?next=${encodeURIComponent(next)}`}">Sign in</a></p>`,
  };
}

export interface CheckMailPageContent {
  readonly csrf: string;
  readonly email: string;
  /** True right after another link was asked for. */
  readonly again?: boolean;
  readonly errors?: readonly FieldError[];
  readonly status?: number;
}

/** The same for a new address and for one that has an account. */
export function checkMailPage({ csrf, email, again, errors = [], status }: CheckMailPageContent): GatePage {
  return {
    status,
    title: 'Check your mail',
    body: html`<h1>Check your mail</h1>
${errorSummary(errors)}
${again && banner('good', 'If the address waits to be confirmed, another mail is on its way. At most three are sent in an hour.')}
<p>A mail went to <bdi class="strong">${email}</bdi>. Open the link in it within 24 hours to confirm the address and to sign in.</p>
<p class="muted">Nothing there? Look into the folder for spam, or have it sent once more.</p>
<form class="gate__form" method="post" action="/check-email">
${hidden({ _csrf: csrf })}
<div class="row gate__acts">
<a class="btn" data-size="lg" href="/register">Use another address</a>
<button class="btn" data-size="lg" type="submit">Send it again</button>
</div>
</form>`,
  };
}

export interface ConfirmPageContent {
  readonly csrf: string;
  readonly token: string;
  readonly email: string;
  readonly errors?: readonly FieldError[];
  readonly status?: number;
}

/** A button, since programs that look through mail open links too. */
export function verifyPage({ csrf, token, email, errors = [], status }: ConfirmPageContent): GatePage {
  return {
    status,
    title: 'Confirm your address',
    body: html`<h1>Confirm your address</h1>
${errorSummary(errors)}
<p><bdi class="strong">${email}</bdi> becomes the address of your account, and you are signed in.</p>
<form class="gate__form" method="post" action="/verify-email">
${hidden({ _csrf: csrf, token })}
<button class="btn" data-variant="primary" data-size="lg" data-wide type="submit">Confirm and sign in</button>
</form>`,
  };
}

/** The last step of a change of address. */
export function confirmEmailPage({ csrf, token, email, errors = [], status }: ConfirmPageContent): GatePage {
  return {
    status,
    title: 'Use this address',
    body: html`<h1>Use this address?</h1>
${errorSummary(errors)}
<p>From now on you sign in with <bdi class="strong">${email}</bdi>, and mails go there.</p>
<form class="gate__form" method="post" action="/confirm-email">
${hidden({ _csrf: csrf, token })}
<button class="btn" data-variant="primary" data-size="lg" data-wide type="submit">Use this address</button>
</form>`,
  };
}

/** After a change of address. */
export function emailConfirmedPage(email: string): GatePage {
  return {
    title: 'The new address holds',
    body: html`<h1>The new address holds</h1>
<p>You sign in with <bdi class="strong">${email}</bdi> from now on.</p>
<p><a class="btn" data-size="lg" href="/account">Go to your account</a></p>`,
  };
}

/** One page for links that were used, that expired and that never were. */
export function linkGonePage(action: { readonly href: string; readonly label: string }): GatePage {
  return {
    status: 404,
    title: 'This link no longer works',
    body: html`<h1>This link no longer works</h1>
<p>It was used already, it is too old, or a newer one took its place. Nothing was changed.</p>
<p><a class="btn" data-size="lg" href="${action.href}">${action.label}</a></p>`,
  };
}
