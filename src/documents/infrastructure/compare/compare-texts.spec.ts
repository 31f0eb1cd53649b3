import type { Nodes, Root } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { readPlainText } from '#libs/anchoring/plain-text.js';
import type { ComparisonView } from '../../application/ports/version-comparer.js';
import { hastTree } from '../markdown/hast-tree.js';
import { renderMarkdown } from '../markdown/render-markdown.js';
import { compareTexts } from './compare-texts.js';
import { Deadline } from './deadline.js';

const stored = (markdown: string) => ({ markdown, html: renderMarkdown(markdown).html });

function compare<V extends ComparisonView>(view: V, before: string, after: string) {
  return compareTexts(view, stored(before), stored(after)) as Extract<
    ReturnType<typeof compareTexts>,
    { view: V }
  >;
}

/** HTML without what these tests do not look at. */
function bare(html: string): string {
  return html
    .replace(/<span class="visually-hidden"[^>]*>[^<]*<\/span>/g, '')
    .replace(/ (?:class|dir|data-start|data-no-anchor|id)="[^"]*"/g, '')
    .replace(/\n/g, '');
}

describe('Comparing two versions', () => {
  it('documents 15.60: marks the words of an edited block where they stand', () => {
    const { html, changes } = compare(
      'rendered',
      'One job for **each night** runs.\n\nSame.',
      'One job for **each sailing** runs.\n\nSame.',
    );
    expect(bare(html)).toBe(
      '<p data-change="changed">One job for <strong>each </strong><del><strong>night</strong></del><ins><strong>sailing</strong></ins><strong></strong> runs.</p><p>Same.</p>'.replace(
        '<strong></strong>',
        '',
      ),
    );
    expect(changes).toBe(1);
  });

  it('tells those who hear the page what was added and removed', () => {
    const { html } = compare('rendered', 'a b c d', 'a x c d');
    expect(html).toContain(
      '<del class="diff-removed" data-no-anchor=""><span class="visually-hidden" data-no-anchor="">Removed: </span>b</del>',
    );
    expect(html).toContain(
      '<ins class="diff-added"><span class="visually-hidden" data-no-anchor="">Added: </span>x</ins>',
    );
  });

  it('shows whole blocks as added and removed, in their place', () => {
    const { html, changes } = compare(
      'rendered',
      '# A\n\nGone for good.\n\nStays here.',
      '# A\n\nStays here.\n\nEntirely new text.',
    );
    expect(bare(html)).toBe(
      '<h1>A</h1><p data-change="removed"><del>Gone for good.</del></p><p>Stays here.</p><p data-change="added"><ins>Entirely new text.</ins></p>',
    );
    expect(changes).toBe(2);
    expect(html).toMatch(/id="change-1"[\s\S]*id="change-2"/);
  });

  it('goes into lists, quotes and tables, and keeps them valid', () => {
    const table = (cell: string, row = '') => `| a | b |\n| - | - |\n| one two three | ${cell} |\n${row}`;
    const { html, changes } = compare(
      'rendered',
      `- kept entry\n- lost entry\n\n> quoted words of old\n\n${table('x y z')}`,
      `- kept entry\n- brand new\n\n> quoted words of new\n\n${table('x y q', '| r | s |\n')}`,
    );
    const flat = bare(html);
    expect(flat).toContain(
      '<ul><li>kept entry</li><li data-change="removed"><del>lost entry</del></li><li data-change="added"><ins>brand new</ins></li></ul>',
    );
    expect(flat).toContain('<p data-change="changed">quoted words of <del>old</del><ins>new</ins></p>');
    expect(flat).toContain('x y <del>z</del><ins>q</ins></td>');
    expect(flat).toContain('<tr data-change="added"><td><ins>r</ins></td><td><ins>s</ins></td></tr>');
    expect(changes).toBe(5);
  });

  it('the rendered view reads as the newer text, with its offsets', () => {
    const before =
      '# T\n\nAlpha beta gamma delta.\n\n- one\n- two\n\nGone paragraph.\n\n`code` and **bold** stay';
    const after =
      '# T\n\nAlpha beta GAMMA delta!\n\n- one\n- three\n- four\n\n`code` and *bold* stay\n\nNew.';
    const { html } = compare('rendered', before, after);
    const plain = renderMarkdown(after).plainText;
    const page = readPlainText<Nodes>(fromHtml(html, { fragment: true }) as Root, hastTree);
    expect(page.text).toBe(plain);
    for (const block of page.blocks) {
      const start = block.node.type === 'element' ? block.node.properties.dataStart : undefined;
      if (start !== undefined) expect(Number(start)).toBe(block.start);
    }
  });

  it('shows a change of formatting and of a link target', () => {
    expect(bare(compare('rendered', 'some word here', 'some *word* here').html)).toContain(
      '<del>word</del><ins><em>word</em></ins>',
    );
    expect(compare('rendered', '[a](https://x.example)', '[a](https://y.example)').changes).toBe(1);
  });

  it('says nothing changed for equal texts, also when ids and offsets moved', () => {
    for (const view of ['rendered', 'side-by-side', 'markdown'] as const) {
      expect(compare(view, '# A\n\ntext', '# A\n\ntext').changes).toBe(0);
    }
    expect(compare('rendered', '# A\n\n# A', '# New\n\n# A\n\n# A').changes).toBe(1);
  });

  it('switches controls off', () => {
    const decision = '<!-- decision: a -->\n\nWhich?\n\n- one\n- two\n\n<!-- /decision -->';
    const { html } = compare('rendered', decision, decision.replace('two', 'three'));
    expect(html.match(/<input/g)!.length).toBe(html.match(/disabled/g)!.length);
  });

  it('never repeats an id', () => {
    const { html } = compare(
      'rendered',
      '## One two three\n\nx[^1]\n\n[^1]: n',
      '## One two four\n\ny[^1]\n\n[^1]: m',
    );
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('stays sanitised: what was text stays text', () => {
    const { html } = compare('rendered', 'a `<script>x</script>`', 'b `<img src=x onerror=y>`');
    expect(html).not.toMatch(/<(?:script|img)/);
  });

  it('puts blocks opposite what they became, entries of a list row by row', () => {
    const { rows, changes } = compare(
      'side-by-side',
      '# T\n\n1. first entry here\n2. second\n\nOnly before.',
      '# T\n\n1. first entry there\n2. second\n3. third',
    );
    expect(
      rows.map(({ left, right, changed }) => [
        left === null ? null : bare(left),
        right === null ? null : bare(right),
        changed,
      ]),
    ).toEqual([
      ['<h1>T</h1>', '<h1>T</h1>', false],
      [
        '<ol start="1"><li>first entry <del>here</del></li></ol>',
        '<ol start="1"><li>first entry <ins>there</ins></li></ol>',
        true,
      ],
      ['<ol start="2"><li>second</li></ol>', '<ol start="2"><li>second</li></ol>', false],
      ['<p><del>Only before.</del></p>', null, true],
      [null, '<ol start="3"><li><ins>third</ins></li></ol>', true],
    ]);
    expect(changes).toBe(3);
  });

  it('compares the lines of the sources', () => {
    const { lines, changes } = compare('markdown', '# A\nold\nsame\n', '# A\nnew\nsame\nmore');
    expect(lines).toEqual([
      { kind: 'same', text: '# A', left: 1, right: 1 },
      { kind: 'removed', text: 'old', left: 2, right: null },
      { kind: 'added', text: 'new', left: null, right: 2 },
      { kind: 'same', text: 'same', left: 3, right: 3 },
      { kind: 'added', text: 'more', left: null, right: 4 },
    ]);
    expect(changes).toBe(2);
  });

  it('compares whole blocks over 200 KB, and words below', () => {
    const sized = (size: number, word: string) => ({
      ...stored(`The first ${word} sentence.`),
      markdown: 'x'.repeat(size),
    });
    const htmlAt = (size: number) => {
      const comparison = compareTexts('rendered', sized(size, 'old'), sized(size, 'new'));
      return comparison.view === 'rendered' ? comparison.html : '';
    };
    expect(htmlAt(200 * 1_024 + 1)).toContain('Removed: </span>The first old sentence.');
    expect(htmlAt(200 * 1_024)).toContain('Removed: </span>old</del>');
  });

  it('refuses when its time is over', () => {
    expect(() => new Deadline(-1).check()).toThrow('Too large to compare here.');
  });
});
