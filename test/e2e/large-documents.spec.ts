import { execFileSync } from 'node:child_process';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { TreeVersionComparer } from '#src/documents/infrastructure/compare/tree-version-comparer.js';
import { renderMarkdown } from '#src/documents/infrastructure/markdown/render-markdown.js';
import { WorkerDocumentRenderer } from '#src/documents/infrastructure/markdown/worker-document-renderer.js';
import { TextWorkerThread } from '#src/documents/infrastructure/worker/text-worker-thread.js';

const PARAGRAPH =
  'Exports move to a **queue**, so that [a slow partner](https://x.example) never blocks `others`.\n\n';

/** Longest time in milliseconds for which the event loop stood still while `work` ran. */
async function longestPause(work: Promise<unknown>): Promise<number> {
  let last = performance.now();
  let longest = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 5);
  await work;
  clearInterval(timer);
  return longest;
}

describe('Large documents in the built worker thread', () => {
  let renderer: WorkerDocumentRenderer;

  beforeAll(() => {
    if (TextWorkerThread.builtEntry() === null) {
      execFileSync('npm', ['run', '--silent', 'build:server'], { cwd: applicationRoot, stdio: 'inherit' });
    }
    renderer = new WorkerDocumentRenderer();
  });
  afterAll(() => renderer.onModuleDestroy());

  it('documents 15.63: while 1 MB renders, the event loop answers others within 200 ms', async () => {
    const markdown = `# Large\n\n${PARAGRAPH.repeat(1_048_000 / PARAGRAPH.length)}The tail of the text.`;
    const rendering = renderer.render(markdown);
    expect(await longestPause(rendering)).toBeLessThan(200);
    const rendered = await rendering;
    expect(rendered.plainText.endsWith('The tail of the text.\n')).toBe(true);
    expect(rendered.sections).toHaveLength(1);
  });

  it('renders in the thread exactly what it renders inline', async () => {
    const markdown = `${PARAGRAPH.repeat(800)}<b>raw</b>\n\n<!-- decision: a -->\n\n- x\n- y\n\n<!-- /decision -->`;
    expect(markdown.length).toBeGreaterThan(64 * 1_024);
    expect(await renderer.render(markdown)).toEqual(renderMarkdown(markdown));
  });

  it('documents 4.6: refuses a text that takes over 10 seconds, and goes on with the next', async () => {
    const endless = renderer.render('>'.repeat(200_000));
    await expect(endless).rejects.toThrow(
      'markdown: The document takes too long to render. Make it smaller or less nested.',
    );
    await expect(renderer.render(PARAGRAPH.repeat(800))).resolves.toMatchObject({ rendererVersion: '1' });
  });

  it('refuses nesting deeper than 100 levels in the thread too', async () => {
    await expect(renderer.render(`${'> '.repeat(101)}${'x'.repeat(70_000)}`)).rejects.toThrow(
      'markdown: Lists and quotes are nested deeper than 100 levels. Make the document less nested.',
    );
  });

  it('compares large versions in the thread', async () => {
    const comparer = new TreeVersionComparer();
    const before = PARAGRAPH.repeat(500);
    const after = `${before}New at the end.`;
    const text = (markdown: string) => ({ markdown, html: renderMarkdown(markdown).html });
    const comparison = await comparer.compare('rendered', text(before), text(after));
    expect(comparison.changes).toBe(1);
    await comparer.onModuleDestroy();
  });
});
