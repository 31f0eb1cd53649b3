import mermaid, { type MermaidConfig } from 'mermaid';
import { cleanDrawing } from './clean-drawing.js';
import { type DrawRequest, type FrameMessage, isDrawRequest, SOURCE_CHARACTERS } from './messages.js';

/** Draws one diagram in a frame that has no origin, no network and no way out but messages to its page. */

const SETTINGS: MermaidConfig = {
  startOnLoad: false,
  securityLevel: 'strict',
  htmlLabels: false,
  flowchart: { htmlLabels: false },
  maxTextSize: SOURCE_CHARACTERS,
  maxEdges: 500,
  suppressErrorRendering: true,
  deterministicIds: true,
  fontFamily: 'system-ui, sans-serif',
};

// A directive in the source may change none of these.
const FIXED = [
  'secure',
  ...Object.keys(SETTINGS),
  'theme',
  'themeCSS',
  'altFontFamily',
  'dompurifyConfig',
  'logLevel',
  'legacyMathML',
  'forceLegacyMathML',
];

const tell = (message: FrameMessage) => window.parent.postMessage(message, '*');

let turn: Promise<void> = Promise.resolve();

window.addEventListener('message', ({ source, data }) => {
  if (source !== window.parent || !isDrawRequest(data)) return;
  turn = turn.then(() => draw(data));
});
tell({ type: 'ready' });

async function draw({ id, source, theme }: DrawRequest): Promise<void> {
  if ([...source].length > SOURCE_CHARACTERS) {
    tell({ type: 'failed', id, reason: `The diagram has more than ${SOURCE_CHARACTERS} characters.` });
    return;
  }
  try {
    mermaid.initialize({ ...SETTINGS, theme: theme === 'dark' ? 'dark' : 'neutral', secure: FIXED });
    const { svg } = await mermaid.render('drawing', source);
    const parsed = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg');
    if (!parsed) throw new Error('Nothing was drawn.');
    cleanDrawing(parsed);
    parsed.setAttribute('aria-hidden', 'true');
    document.body.replaceChildren(parsed);
    const { width, height } = parsed.getBoundingClientRect();
    tell({ type: 'drawn', id, width: Math.ceil(width), height: Math.ceil(height) });
  } catch (error) {
    document.body.replaceChildren();
    tell({ type: 'failed', id, reason: sentenceOf(error) });
  }
}

/** The first line of what the library says; the rest quotes the source. */
function sentenceOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return `The diagram could not be drawn: ${line.replace(/[.:\s]+$/, '').slice(0, 160)}.`;
}
