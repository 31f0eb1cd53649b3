import { type Html, html } from './html.js';
import { type FootFacts, MARK, pageFoot, pageFrame } from './page-frame.js';

export interface GateContent {
  /** Title of the tab, without the name of the product. */
  readonly title: string;
  /** Everything inside `main`, beginning with the one `h1`. */
  readonly body: Html;
  /** For pages with more to read than one short form. */
  readonly wide?: boolean;
  readonly foot: FootFacts;
}

/** The frame of every page that stands before the app: sign-in, consent, errors. */
export function gateLayout({ title, body, wide = false, foot }: GateContent): Html {
  return pageFrame({
    title,
    layout: 'gate',
    body: html`<header class="gate__top"><a class="brand" href="/">${MARK}<span>Loupe</span></a></header>
<main class="gate__main" id="main" tabindex="-1">
<div class="gate__box"${wide && html` data-wide`}>
${body}
</div>
</main>
${pageFoot(foot)}`,
  });
}
