import { type Html, html } from '#src/identity/interface/http/pages/html.js';
import { type FootFacts, MARK, pageFoot, pageFrame } from '#src/identity/interface/http/pages/page-frame.js';
import type { Guide, GuideGroup } from './guide-library.js';
import type { GuideHeading } from './guide-markdown.js';

export interface GuidePage {
  readonly title: string;
  readonly body: Html;
  readonly groups: readonly GuideGroup[];
  /** Name of the guide that is shown; null for pages about all of them. */
  readonly current: string | null;
  readonly headings: readonly GuideHeading[];
  /** What was searched for. */
  readonly query?: string;
  readonly version: string;
  readonly foot: FootFacts;
}

/** A guide with the list of all guides beside it and that of its sections. Works without scripts. */
export function guidePage(page: GuidePage): Html {
  const { title, body, groups, current, query = '', version, foot } = page;
  const sections = page.headings.filter(({ level }) => level <= 3);
  return pageFrame({
    title,
    layout: 'guides',
    script: '/assets/guides.js',
    body: html`<header class="guides__top">
<a class="brand" href="/docs">${MARK}<span>Loupe</span></a><a class="guides__word" href="/docs">Guides</a>
<span class="guides__version muted small">Version ${version}</span>
<a class="btn" data-size="sm" href="/">Open Loupe</a>
</header>
<div class="guides__grid">
<div class="guides__side">
${searchForm(query, 'side')}
<nav aria-label="Guides">
${groups.map(
  (group) => html`<div class="guides__group"><p class="guides__label">${group.title}</p>
<ul>${group.guides.map(
    ({ name, title: label }) =>
      html`<li><a href="/docs/${name}"${name === current && html` aria-current="page"`}>${label}</a></li>`,
  )}</ul></div>`,
)}
<p class="muted small" id="no-guide" hidden>No guide has these words in its title. Press Enter to look into the sections too.</p>
</nav>
</div>
<main class="guides__main prose" id="main" tabindex="-1">
${body}
${current !== null && turnPage(groups, current)}
</main>
${
  sections.length > 1 &&
  html`<nav class="guides__sections" aria-label="On this page"><p class="guides__label">On this page</p>${sectionList(sections)}</nav>`
}
</div>
${pageFoot(foot)}`,
  });
}

/** The sections once more for screens without room beside the text. */
export function foldedSections(headings: readonly GuideHeading[]): Html {
  const sections = headings.filter(({ level }) => level <= 3);
  if (sections.length < 2) return html``;
  return html`<details class="guides__fold"><summary>On this page</summary>${sectionList(sections)}</details>`;
}

/** The field that searches; every page has it beside its text, and the list of guides in it. */
export function searchForm(query: string, place: 'side' | 'page'): Html {
  const id = `search-${place}`;
  return html`<form class="guides__search" data-place="${place}" role="search" action="/docs" method="get">
<label class="visually-hidden" for="${id}">Search guides by title</label>
<input class="input" id="${id}" name="q" type="search" value="${query}" placeholder="Search guides" autocomplete="off" maxlength="200" />
${place === 'page' && html`<button class="btn" type="submit">Search</button>`}
</form>`;
}

function sectionList(sections: readonly GuideHeading[]): Html {
  return html`<ol>${sections.map(
    ({ id, level, text }) => html`<li><a href="#${id}" data-level="${level}">${text}</a></li>`,
  )}</ol>`;
}

function turnPage(groups: readonly GuideGroup[], current: string): Html | null {
  const all = groups.flatMap(({ guides }) => guides);
  const at = all.findIndex(({ name }) => name === current);
  const link = (guide: Guide | undefined, words: string, rel: string) =>
    guide &&
    html`<a rel="${rel}" href="/docs/${guide.name}"><span class="muted small">${words}</span><br />${guide.title}</a>`;
  return html`<nav class="guides__turn" aria-label="Other guides">${link(all[at - 1], 'Before', 'prev')}${link(all[at + 1], 'Next', 'next')}</nav>`;
}
