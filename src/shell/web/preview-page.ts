import type { PreviewPage } from '#src/artifacts/preview/application/queries/get-preview-page.js';
import { Html, html } from '#src/identity/interface/http/pages/html.js';
import { PREVIEW_SCRIPT } from './preview-page.script.js';

export interface PreviewPageOptions {
  readonly nonce: string;
  /** Without the bar. */
  readonly bare: boolean;
  /** The onlooker has a session, so changes can be heard. */
  readonly live: boolean;
}

const STYLE = `
body{margin:0;height:100dvh;display:grid;grid-template-rows:auto minmax(0,1fr);background:var(--canvas);color:var(--text);font:13px/1.4 var(--font,system-ui,sans-serif)}
[hidden]{display:none!important}
.pv-skip{position:absolute;inset-inline-start:8px;top:-48px;background:var(--raised);color:var(--text);padding:8px 12px;border:1px solid var(--control-line);border-radius:6px;z-index:2}
.pv-skip:focus{top:8px}
.pv-bar{display:flex;flex-wrap:wrap;align-items:center;gap:4px 12px;min-height:44px;padding:4px 12px;background:var(--surface);border-bottom:1px solid var(--line)}
.pv-name{font-size:14px;font-weight:600;margin:0;flex:1 1 8ch;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.pv-bar label{display:inline-flex;align-items:center;gap:6px;color:var(--text-2)}
.pv-bar select,.pv-bar button,.pv-bar a{font:inherit;color:var(--text);background:var(--raised);border:1px solid var(--control-line);border-radius:6px;min-height:32px;padding:0 10px;display:inline-flex;align-items:center;text-decoration:none;cursor:pointer}
.pv-bar button:hover,.pv-bar a:hover{background:var(--hover)}
.pv-bar button[aria-pressed=true]{background:var(--accent-bg);border-color:var(--accent);color:var(--accent-fg);font-weight:600}
.pv-group{display:inline-flex}.pv-group button{border-radius:0;margin-inline-start:-1px}.pv-group button:first-child{border-start-start-radius:6px;border-end-start-radius:6px;margin:0}.pv-group button:last-child{border-start-end-radius:6px;border-end-end-radius:6px}
.pv-bar :focus-visible,.pv-end:focus-visible{outline:2px solid var(--focus);outline-offset:1px}
.pv-stage{position:relative;display:flex;justify-content:center;min-height:0;grid-row:2}
.pv-bare .pv-stage{grid-row:1/3}
.pv-stage iframe{border:0;width:100%;height:100%;background:#fff;color-scheme:light}
.pv-stage[data-width=phone] iframe{max-width:390px;border-inline:1px solid var(--line-2)}
.pv-stage[data-width=tablet] iframe{max-width:820px;border-inline:1px solid var(--line-2)}
.pv-note{position:absolute;inset:0;display:grid;place-content:center;justify-items:center;gap:12px;text-align:center;padding:24px;background:var(--canvas)}
.pv-note h2{font-size:16px;margin:0}.pv-note p{margin:0;color:var(--text-2);max-width:60ch;overflow-wrap:anywhere}
.pv-note progress{width:min(320px,70vw);accent-color:var(--accent)}
.pv-busy{position:absolute;inset-inline:0;top:0;height:2px;overflow:hidden;pointer-events:none}
.pv-busy::before{content:"";display:block;width:40%;height:100%;background:var(--accent);animation:pv 1.1s ease-in-out infinite}
@keyframes pv{from{transform:translateX(-100%)}to{transform:translateX(350%)}}
@media (prefers-reduced-motion:reduce){.pv-busy::before{animation:none;width:100%}}
.pv-end{position:absolute;inset-inline-end:0;bottom:0;width:1px;height:1px;overflow:hidden}
.pv-said{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
@media (max-width:560px){.pv-word{display:none}.pv-widths{display:none}}
`;

const WIDTHS = [
  ['phone', 'Phone'],
  ['tablet', 'Tablet'],
  ['full', 'Full'],
] as const;

/** Bar, frame and what stands in the frame's place while there is nothing to show. */
export function previewPage(page: PreviewPage, { nonce, bare, live }: PreviewPageOptions): Html {
  const { latestVersion, version } = page;
  const versions = Array.from({ length: latestVersion ?? 0 }, (_, index) => (latestVersion ?? 0) - index);
  const back = page.projectId && `/projects/${page.projectId}/artifacts/${page.artifactId}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${page.name} · Preview</title>
<link rel="icon" href="/assets/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/loupe.css">
<script src="/assets/theme.js"></script>
<style nonce="${nonce}">${new Html(STYLE)}</style>
</head>
<body class="${bare ? 'pv pv-bare' : 'pv'}">
<a class="pv-skip" href="#after-preview">Skip preview</a>
${
  !bare &&
  html`<header class="pv-bar">
<h1 class="pv-name" title="${page.name}">${page.name}</h1>
<label><span class="pv-word">Version</span> <select id="version" aria-label="Version">
<option value=""${version === null && html` selected`}>Latest${latestVersion !== null && ` (v${latestVersion})`}</option>
${versions.map((one) => html`<option value="${one}"${version === one && html` selected`}>v${one}</option>`)}
</select></label>
<span class="pv-group pv-widths" role="group" aria-label="Width">${WIDTHS.map(
    ([key, name]) =>
      html`<button type="button" data-width="${key}" aria-pressed="${String(key === 'full')}">${name}</button>`,
  )}</span>
<button type="button" id="reload">Reload</button>
${back && html`<a href="${back}">Close</a>`}
</header>`
}
<main class="pv-stage" data-width="full">
<div class="pv-busy" id="busy" hidden></div>
<section class="pv-note" id="note" hidden><h2 id="note-title"></h2><p id="note-text"></p><progress id="progress" max="100" hidden aria-label="Progress of the generation"></progress></section>
<span id="after-preview" class="pv-end" tabindex="-1">End of the preview</span>
</main>
<div class="pv-said" role="status" aria-live="polite" id="said"></div>
<script type="application/json" id="state">${new Html(inScript({ page, live }))}</script>
<script nonce="${nonce}">${new Html(PREVIEW_SCRIPT)}</script>
</body>
</html>
`;
}

/** JSON that no markup of a name can leave. */
function inScript(value: object): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
