import type { DescribedRequest, ProjectChoices } from '../../../application/queries/describe-request.js';
import { isLoopbackRedirect } from '../../../domain/redirect-address.js';
import { type AccessWords, accessWords } from './access-words.js';
import { type Html, html } from './html.js';
import { icon } from './icon.js';
import type { GatePage } from './page-sender.js';
import { banner, errorSummary, type FieldError, hidden } from './parts.js';

export interface ConsentPageContent {
  readonly uid: string;
  readonly csrf: string;
  readonly described: DescribedRequest;
  readonly chosen?: string;
  readonly errors?: readonly FieldError[];
  readonly status?: number;
}

/** Above this many projects there is a field to filter them. */
const FILTER_ABOVE = 10;

/** Asks a person whether an app may act for them. Works without scripts. */
export function consentPage(content: ConsentPageContent): GatePage {
  const { uid, csrf, described, errors = [], status } = content;
  const { request, client, choices } = described;
  const action = `/oauth/consent/${encodeURIComponent(uid)}`;
  const heading = choices
    ? 'Allow an app to use one of your projects?'
    : `Allow ${client.name} to act for you?`;
  return {
    status,
    title: errors.length > 0 ? 'Error: Allow access' : 'Allow access',
    wide: true,
    popUp: true,
    formAction: request.redirectUri ? [new URL(request.redirectUri).origin] : [],
    body: html`<h1 tabindex="-1"${errors.length === 0 && html` autofocus`}>${heading}</h1>
${errorSummary(errors)}
${appPanel(described)}
${described.loopbackOnly && loopbackWarning()}
${choices && choices.total > FILTER_ABOVE && filterForm(action, choices)}
<form class="gate__form" method="post" action="${action}">
${NO_ANSWER_ON_ENTER}
${hidden({ _csrf: csrf })}
${choices && projectList(choices, content, action)}
${accessList(accessWords(request.scopes), choices ? 'What it may do there' : 'What it may do')}
${answerButtons(choices !== null && choices.total === 0)}
</form>
${accountLine(csrf, described.account, action)}
<p class="hint">You can end this at any time under Account, Connected apps. It ends by itself after 365 days, or after 30 days without use.</p>`,
  };
}

/**
 * Enter in any field presses the first button of a form. So that it neither allows nor denies, the first one shows the page
 * again with what was chosen. (A disabled button would do by the standard, but browsers go on to the next one.)
 */
export const NO_ANSWER_ON_ENTER = html`<button class="visually-hidden" type="submit" name="answer" value="" tabindex="-1" aria-hidden="true" formnovalidate>Show again</button>`;

export function answerButtons(denyOnly = false): Html {
  return html`<div class="row gate__acts">
<button class="btn" data-size="lg" type="submit" name="answer" value="deny">Deny</button>
${!denyOnly && html`<button class="btn" data-size="lg" data-variant="primary" type="submit" name="answer" value="allow">Allow</button>`}
</div>`;
}

export function accessList(words: AccessWords, heading: string): Html {
  return html`<div>
<h2 class="gate__legend">${heading}</h2>
<ul class="grants">
${words.grants.map((grant) => html`<li>${icon('check')}${grant}</li>`)}
<li data-not>${icon('cross')}Not: ${words.not}</li>
</ul>
</div>`;
}

export function accountLine(csrf: string, account: string, next: string): Html {
  return html`<form class="row muted small" data-gap="tight" method="post" action="/logout">
${hidden({ _csrf: csrf, next })}
<span>Signed in as <bdi class="strong">${account}</bdi>.</span>
<button class="link-btn" type="submit">Use another account</button>
</form>`;
}

function appPanel({ client, request, namedProject }: DescribedRequest): Html {
  return html`<section class="panel" aria-label="The app"><div class="panel__body"><dl class="facts">
<dt>App</dt><dd>${clientName(client)}</dd>
${
  client.kind === 'url' &&
  !client.verified &&
  html`<dt>Calls itself</dt><dd>“<bdi>${client.name}</bdi>” <span class="chip" data-tone="warn">${icon('unknown')}Not verified</span></dd>`
}
${namedProject !== null && html`<dt>Project</dt><dd><bdi class="strong">${namedProject}</bdi></dd>`}
${request.scopes.includes('site-review') && html`<dt>Site</dt><dd><code>${request.origin}</code></dd>`}
${request.redirectUri !== null && html`<dt>Answer goes to</dt><dd>${answerAddress(request.redirectUri)}</dd>`}
</dl></div></section>`;
}

function clientName(client: DescribedRequest['client']): Html {
  if (client.kind !== 'url') return html`<b>${client.name}</b>`;
  if (client.verified) {
    return html`<b>${client.host}</b> <span class="chip" data-tone="good">${icon('ok')}Trusted by this instance</span>`;
  }
  const [before, after] = client.clientId.split(client.host!, 2) as [string, string];
  return html`<span class="client"><span class="faint">${before}</span><b>${client.host}</b><span class="faint">${after}</span></span>`;
}

function answerAddress(address: string): Html {
  const { hostname } = new URL(address);
  return html`<code>${hostname}</code>${isLoopbackRedirect(address) && ' on this computer'}`;
}

function loopbackWarning(): Html {
  return banner(
    'warn',
    html`<b>Did you just start this?</b> Loupe cannot check which program on this computer gets the answer. Allow only a connection that you started.`,
  );
}

function filterForm(action: string, choices: ProjectChoices): Html {
  return html`<form class="row" data-nowrap method="get" action="${action}" role="search">
<label class="visually-hidden" for="q">Filter projects by name</label>
<input class="input" id="q" name="q" type="search" value="${choices.filter}" placeholder="Filter by name" autocomplete="off" />
<button class="btn" type="submit">Filter</button>
</form>`;
}

/** A day in words, such as "1 Dec 2026"; the page knows no time zone before it knows the person, so it is that of UTC. */
function dayOf(moment: Date): string {
  return moment.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
}

function projectList(
  choices: ProjectChoices,
  { chosen, errors = [] }: ConsentPageContent,
  action: string,
): Html {
  if (choices.total === 0) {
    return html`<p>You have no project yet. <a href="/projects/new?next=${encodeURIComponent(action)}">Create a project</a>, then come back to this page.</p>`;
  }
  const error = errors.find(({ field }) => field === 'project');
  const picked = chosen ?? (choices.total === 1 ? choices.items[0]?.id : undefined);
  return html`<fieldset id="project"${error && html` aria-describedby="project-error"`}>
<legend class="strong gate__legend">Choose the project it may use</legend>
${error && html`<span class="error" id="project-error">${icon('failed', { size: 'sm' })}${error.sentence}</span>`}
<div class="choices">
${choices.items.map(
  ({ id, name, role, lastUsedAt }) =>
    html`<label class="choice"><input class="check" type="radio" name="project" value="${id}" required${id === picked && html` checked`} /><span class="choice__text"><bdi class="strong">${name}</bdi><br /><span class="muted small">${roleWords(role)}${lastUsedAt !== null && `. Used by an agent on ${dayOf(lastUsedAt)}`}</span></span></label>`,
)}
</div>
${choices.items.length === 0 && html`<p class="muted">No project matches “<bdi>${choices.filter}</bdi>”.</p>`}
${pageLinks(choices, action)}
</fieldset>`;
}

function pageLinks({ page, hasMore, filter }: ProjectChoices, action: string): Html | null {
  if (page === 1 && !hasMore) return null;
  const link = (to: number): string => `${action}?${new URLSearchParams({ q: filter, page: String(to) })}`;
  return html`<p class="row small">${page > 1 && html`<a href="${link(page - 1)}">Previous projects</a>`} ${hasMore && html`<a href="${link(page + 1)}">More projects</a>`}</p>`;
}

function roleWords(role: string): string {
  return role === 'owner' ? 'You own it' : `You are a ${role}`;
}
