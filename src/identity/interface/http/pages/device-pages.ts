import type { DescribedRequest } from '../../../application/queries/describe-request.js';
import { shownUserCode } from '../../../domain/user-code.js';
import { accessWords } from './access-words.js';
import { accessList, accountLine, answerButtons, NO_ANSWER_ON_ENTER } from './consent-page.js';
import { html } from './html.js';
import type { GatePage } from './page-sender.js';
import { banner, errorSummary, type FieldError, hidden, textField } from './parts.js';

export interface DeviceCodePageContent {
  readonly csrf: string;
  readonly typed?: string;
  readonly errors?: readonly FieldError[];
  readonly status?: number;
}

/** Asks for the code that a device shows. */
export function deviceCodePage({ csrf, typed = '', errors = [], status }: DeviceCodePageContent): GatePage {
  return {
    status,
    title: errors.length > 0 ? 'Error: Connect a device' : 'Connect a device',
    body: html`<h1>Connect a device</h1>
${errorSummary(errors)}
<p>Type the code that your terminal shows.</p>
<form class="gate__form" method="post" action="/oauth/device">
${hidden({ _csrf: csrf })}
${textField({ name: 'user_code', label: 'Code', value: typed, hint: 'Eight letters, such as BCDF-GHJK', autocomplete: 'off', errors, maxLength: 40, autofocus: errors.length === 0 })}
<button class="btn" data-variant="primary" data-size="lg" data-wide type="submit">Continue</button>
</form>`,
  };
}

export interface DeviceAnswerPageContent {
  readonly csrf: string;
  /** Normal form, eight letters. */
  readonly userCode: string;
  readonly described: DescribedRequest;
}

/** Asks whether the device with this code may act for the person. */
export function deviceAnswerPage({ csrf, userCode, described }: DeviceAnswerPageContent): GatePage {
  const { client, request, account } = described;
  return {
    title: 'Allow access',
    wide: true,
    body: html`<h1 tabindex="-1" autofocus>Allow ${client.name} to act for you?</h1>
<section class="panel" aria-label="The device"><div class="panel__body"><dl class="facts">
<dt>Code</dt><dd><code class="strong">${shownUserCode(userCode)}</code></dd>
<dt>App</dt><dd><b>${client.name}</b></dd>
${request.deviceName !== null && html`<dt>Machine</dt><dd><bdi class="strong">${request.deviceName}</bdi> <span class="muted small">as it names itself</span></dd>`}
${request.askedFrom !== null && html`<dt>Asked from</dt><dd><code>${request.askedFrom}</code></dd>`}
</dl></div></section>
${banner('warn', html`<b>Is this the code in your own terminal?</b> Allow only when it is. If somebody sent you the code or the link, deny.`)}
<form class="gate__form" method="post" action="/oauth/device">
${NO_ANSWER_ON_ENTER}
${hidden({ _csrf: csrf, user_code: userCode })}
${accessList(accessWords(request.scopes), 'What it may do')}
${answerButtons()}
</form>
${accountLine(csrf, account, '/oauth/device')}
<p class="hint">You can end this at any time under Account, Connected apps. It ends by itself after 365 days, or after 30 days without use.</p>`,
  };
}

/** The last page: the device goes on by itself. */
export function deviceDonePage(allowed: boolean, clientName: string): GatePage {
  return allowed
    ? {
        title: 'Device connected',
        body: html`<h1 tabindex="-1" autofocus>Done. You can close this window.</h1>
<p>${clientName} in your terminal goes on within a few seconds.</p>
<p><a href="/account/connected-apps">Connected apps</a></p>`,
      }
    : {
        title: 'Request denied',
        body: html`<h1 tabindex="-1" autofocus>Denied. You can close this window.</h1>
<p>The device was told and got no access.</p>`,
      };
}
