import { Configuration } from '#libs/configuration/configuration.js';
import { type Html, html } from './html.js';

export const MARK = html`<svg class="brand__mark" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="7.25" stroke-width="1.75" /><path d="M.75 12H4M20 12h3.25" stroke-width="1.25" stroke-linecap="round" /><path d="M8.5 12h7" stroke-width="3" stroke-linecap="round" /></svg>`;

export interface PageFrame {
  /** Title of the tab, without the name of the product. */
  readonly title: string;
  /** Class of the body, which decides on the layout. */
  readonly layout: string;
  /** Everything inside of the body after the link that skips to `#main`. */
  readonly body: Html;
  /** Address of a script that the page also works without. */
  readonly script?: string;
}

/** What every page that the server renders has around it. The first script keeps a chosen theme; nothing else needs any. */
export function pageFrame({ title, layout, body, script }: PageFrame): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>${title} · Loupe</title>
<meta name="color-scheme" content="light dark" />
<meta name="robots" content="noindex" />
<link rel="icon" href="/assets/mark.svg" type="image/svg+xml" />
<link rel="stylesheet" href="/assets/loupe.css" />
<script src="/assets/theme.js"></script>
${script !== undefined && html`<script src="${script}" defer></script>`}
</head>
<body class="${layout}">
<a class="skip" href="#main">Skip to content</a>
${body}
</body>
</html>
`;
}

/** What the foot of a page says of this instance. */
export interface FootFacts {
  readonly host: string;
  /** Where the source can be had; empty shows no link. */
  readonly sourceUrl: string;
}

export function footFacts({ values }: Configuration): FootFacts {
  return { host: new URL(values.defaultUri).host, sourceUrl: values.sourceUrl };
}

export function pageFoot({ host, sourceUrl }: FootFacts): Html {
  return html`<footer class="page-foot"><span>${host}</span><a href="/docs">Guides</a><a href="/about">About</a>${
    sourceUrl !== '' && html`<a href="${sourceUrl}" rel="noreferrer">Source</a>`
  }</footer>`;
}
