import type { InstanceCheck } from '../../../application/ports/instance-status.js';
import { PASSWORD_MAX, PASSWORD_MIN } from '../../../domain/password-rules.js';
import { type Html, html } from './html.js';
import { type IconName, icon } from './icon.js';
import type { GatePage } from './page-sender.js';
import { banner, errorSummary, type FieldError, hidden, textField } from './parts.js';

const SIGN: Record<InstanceCheck['state'], { icon: IconName; tone: string; word: string }> = {
  ok: { icon: 'ok', tone: 'good', word: 'In order' },
  warning: { icon: 'alert', tone: 'warn', word: 'Look at this' },
  failed: { icon: 'failed', tone: 'bad', word: 'Failed' },
  unknown: { icon: 'unknown', tone: 'neutral', word: 'Unknown' },
};

/** Step 1: what works on this instance and what does not, before anybody has an account. */
export function installStatusPage(checks: readonly InstanceCheck[]): GatePage {
  const failed = checks.filter((check) => check.state === 'failed').length;
  return {
    title: 'Install',
    wide: true,
    body: html`<p class="muted small">Step 1 of 2</p>
<h1>Set up this instance</h1>
<p>This is what Loupe found on this machine. Nothing is changed by looking.</p>
${failed > 0 && banner('bad', html`<b>${failed === 1 ? 'One check failed' : `${failed} checks failed`}.</b> You can go on, but what depends on it will not work until it is mended.`)}
<section class="panel" aria-label="Status of this instance"><div class="panel__body"><dl class="facts">
${checks.map(checkRow)}
</dl></div></section>
<p class="row gate__acts"><a class="btn" data-variant="primary" data-size="lg" href="/install?step=account">Go on to your account</a></p>`,
  };
}

function checkRow({ name, state, sentence }: InstanceCheck): Html {
  const sign = SIGN[state];
  return html`<dt>${name}</dt>
<dd><span class="chip" data-variant="plain" data-tone="${sign.tone}">${icon(sign.icon, { tone: sign.tone })}${sign.word}</span> ${sentence}</dd>`;
}

export interface InstallAccountPageContent {
  readonly csrf: string;
  readonly email?: string;
  readonly displayName?: string;
  readonly registration?: boolean;
  readonly errors?: readonly FieldError[];
  readonly status?: number;
}

/** Step 2: the first administrator. */
export function installAccountPage(content: InstallAccountPageContent): GatePage {
  const { csrf, email = '', displayName = '', registration = true, errors = [], status } = content;
  return {
    status,
    title: errors.length > 0 ? 'Error: Install' : 'Install',
    body: html`<p class="muted small">Step 2 of 2 · <a href="/install">Back to the status</a></p>
<h1>Make the first administrator</h1>
${errorSummary(errors)}
<form class="gate__form" method="post" action="/install">
${hidden({ _csrf: csrf })}
${textField({ name: 'email', label: 'E-mail', type: 'email', value: email, autocomplete: 'username', maxLength: 254, errors, autofocus: errors.length === 0 })}
${textField({ name: 'displayName', label: 'Name', value: displayName, hint: 'Others see it beside what you write.', autocomplete: 'name', maxLength: 100, errors })}
${textField({ name: 'password', label: 'Password', type: 'password', hint: `${PASSWORD_MIN} to ${PASSWORD_MAX} characters; a few unrelated words are good.`, autocomplete: 'new-password', errors })}
<label class="choice"><input class="check" type="checkbox" name="registration" value="on"${registration && html` checked`} /><span class="choice__text"><span class="strong">People may register</span><br /><span class="muted small">You can change this later under Admin, Feature flags.</span></span></label>
<button class="btn" data-variant="primary" data-size="lg" data-wide type="submit">Install Loupe</button>
</form>`,
  };
}
