import { type Html, html } from './html.js';

export interface GateContent {
  /** Title of the tab, without the name of the product. */
  readonly title: string;
  /** Everything inside `main`, beginning with the one `h1`. */
  readonly body: Html;
  /** For pages with more to read than one short form. */
  readonly wide?: boolean;
  /** Host of this instance, shown at the foot. */
  readonly host: string;
}

const MARK = html`<svg class="brand__mark" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="7.25" stroke-width="1.75" /><path d="M.75 12H4M20 12h3.25" stroke-width="1.25" stroke-linecap="round" /><path d="M8.5 12h7" stroke-width="3" stroke-linecap="round" /></svg>`;

/** The frame of every page that stands before the app: sign-in, consent, errors. The one script keeps a chosen theme; nothing else needs any. */
export function gateLayout({ title, body, wide = false, host }: GateContent): Html {
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
</head>
<body class="gate">
<a class="skip" href="#main">Skip to content</a>
<header class="gate__top"><a class="brand" href="/">${MARK}<span>Loupe</span></a></header>
<main class="gate__main" id="main" tabindex="-1">
<div class="gate__box"${wide && html` data-wide`}>
${body}
</div>
</main>
<footer class="gate__foot"><span>${host}</span></footer>
</body>
</html>
`;
}
