import { MemorySource } from '../../testing/memory-source.js';
import { buildMarkdown, renderPage } from './markdown-pages.js';

describe('Pages of Markdown', () => {
  it('artifacts 15.46: scripts, handlers and javascript: addresses come out harmless', () => {
    const page = renderPage(
      `# Plan <script>alert(1)</script>

<img src=x onerror="alert(2)"> <a href="javascript:alert(3)">go</a> [there](javascript:alert(4)) [enc](java&#115;cript:alert(5))
<svg><script>alert(6)</script></svg><iframe src="https://evil.example"></iframe><style>body{display:none}</style>
<form action="/api"><input name=x></form><meta http-equiv=refresh content="0;url=//evil"><base href="//evil/">
![i](data:text/html,<script>alert(7)</script>) <math><mtext><script>alert(8)</script></mtext></math>`,
      'README.md',
    )!;
    const body = page.slice(page.indexOf('<main'));
    expect(body).not.toMatch(/<script|onerror|javascript:|<iframe|<style|<form|<meta|<base|<svg|<math/i);
    expect(body).toContain('Plan');
  });

  it('keeps tables, tasks, relative images and links, and names headings', () => {
    const page = renderPage(
      '# One & Two\n\n![x](img/a.png)\n\n[next](other.md#b)\n\n- [x] done\n\n|a|b|\n|-|-|\n|1|2|',
      'a.md',
    )!;
    expect(page).toContain('<h1 id="one--two">');
    expect(page).toContain('<img src="img/a.png" alt="x">');
    expect(page).toContain('<a href="other.md#b">');
    expect(page).toContain('<table>');
    expect(page).toContain('checkbox');
    expect(page).toContain('<title>One &amp; Two</title>');
  });

  it('renders every Markdown file under its own path', async () => {
    const source = new MemorySource({ 'README.md': '# A', 'docs/b.md': '# B', 'img.png': 'x' });
    const result = await buildMarkdown(source, 'README.md');
    expect(result).toMatchObject({ state: 'ready', entryPath: 'README.md' });
    expect(result.state === 'ready' && result.files.map(({ path }) => path)).toEqual([
      'README.md',
      'docs/b.md',
    ]);
  });

  it('shows what is nested too deep as plain text and says so', async () => {
    const source = new MemorySource({ 'a.md': `${'> '.repeat(5_000)}<b>deep` });
    const result = await buildMarkdown(source, 'a.md');
    expect(result).toMatchObject({ state: 'ready', notes: [expect.stringContaining('a.md')] });
    expect(result.state === 'ready' && Buffer.from(result.files[0]!.content).toString()).toContain(
      '&lt;b&gt;deep',
    );
  });
});
