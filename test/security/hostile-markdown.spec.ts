import fc from 'fast-check';
import type { Element, Nodes, Root } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { readPlainText } from '#libs/anchoring/plain-text.js';
import { renderCommentMarkdown } from '#src/documents/infrastructure/markdown/comment-dialect.js';
import { hastTree } from '#src/documents/infrastructure/markdown/hast-tree.js';
import { renderMarkdown } from '#src/documents/infrastructure/markdown/render-markdown.js';
import { HOSTILE_HOST, HOSTILE_MARKDOWN } from '../support/hostile-markdown.js';

const ELEMENTS = new Set(
  (
    'h1 h2 h3 h4 h5 h6 p blockquote pre code hr br div span ul ol li dl dt dd table caption thead tbody tfoot tr th td ' +
    'a img em strong i b s u del ins sub sup mark small abbr kbd samp var q cite fieldset legend label input'
  ).split(' '),
);

/** Attributes of authors and those that only we mint, by element; `*` for any. */
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  '*': [
    'ariaHidden ariaLabel className dataCallout dataChange dataCodePoint dataDone dataLabel dataLanguage dataNoAnchor',
    'dataStart dataTone dir id role tabIndex title',
  ].flatMap((names) => names.split(' ')),
  a: ['href', 'rel', 'target'],
  fieldset: ['dataDecisionId', 'dataDecisionType'],
  img: ['alt', 'src', 'width', 'height'],
  input: ['type', 'name', 'value', 'autoComplete', 'disabled'],
  ol: ['start'],
  td: ['align', 'colSpan', 'rowSpan'],
  th: ['align', 'colSpan', 'rowSpan', 'scope'],
};

const IDS = /^(?:heading-|reminder-[A-Z]{1,4}\d{1,4}$|footnote-\d+$|footnote-ref-\d+-\d+$)/;

function offences(html: string): string[] {
  const found: string[] = [];
  const visit = (node: Nodes): void => {
    if (node.type === 'comment' || node.type === 'doctype') found.push(node.type);
    if (node.type === 'element') found.push(...offencesOf(node));
    if ('children' in node) node.children.forEach(visit);
  };
  visit(fromHtml(html, { fragment: true }));
  return found;
}

function offencesOf(element: Element): string[] {
  const found: string[] = [];
  if (!ELEMENTS.has(element.tagName)) found.push(`<${element.tagName}>`);
  for (const [name, value] of Object.entries(element.properties)) {
    if (!ATTRIBUTES['*']!.includes(name) && !ATTRIBUTES[element.tagName]?.includes(name)) {
      found.push(`${element.tagName}[${name}]`);
    }
    if (name === 'id' && !IDS.test(String(value))) found.push(`id ${value}`);
    if (name === 'href' && !/^(?:https?:\/\/|mailto:|#)/.test(String(value))) found.push(`href ${value}`);
    if (name === 'src' && !/^data:image\/(?:png|jpeg|gif|webp);base64,/.test(String(value)))
      found.push(`src ${value}`);
  }
  if (element.tagName === 'a' && /^https?:/.test(String(element.properties.href))) {
    const rel = String(element.properties.rel);
    if (!rel.includes('noopener') || !rel.includes('noreferrer')) found.push('link without rel');
  }
  return found;
}

describe('Hostile Markdown', () => {
  it('is tried in at least 300 shapes, each under a name of its own', () => {
    expect(HOSTILE_MARKDOWN.length).toBeGreaterThanOrEqual(300);
    expect(new Set(HOSTILE_MARKDOWN.map((one) => one.name)).size).toBe(HOSTILE_MARKDOWN.length);
  });

  it.each(HOSTILE_MARKDOWN)(
    'documents 15.40: $name leaves only allowed elements, attributes and addresses',
    ({ markdown }) => {
      const { html, plainText } = renderMarkdown(`Before.\n\n${markdown}\n\nAfter.`);
      expect(offences(html)).toEqual([]);
      expect(plainText).toContain('Before.');
      const loads = [...html.matchAll(/(?:src|srcset|poster|background|action)="([^"]*)"/g)].map(
        ([, value]) => value,
      );
      expect(loads.filter((value) => value!.includes(HOSTILE_HOST))).toEqual([]);
    },
  );

  it.each(HOSTILE_MARKDOWN)('documents 15.44: $name is inert in a comment', ({ markdown }) => {
    const html = renderCommentMarkdown(markdown);
    expect(offences(html)).toEqual([]);
    expect(html).not.toMatch(/<(?:img|input|table|h\d|fieldset)\b/);
  });

  it.each(HOSTILE_MARKDOWN)('$name reads back from the page as the stored plain text', ({ markdown }) => {
    const { html, plainText } = renderMarkdown(markdown);
    const page = fromHtml(html, { fragment: true }) as Root;
    expect(readPlainText<Nodes>(page, hastTree).text).toBe(plainText);
  });

  it('is judged by a check that sees what is wrong', () => {
    expect(
      offences(
        '<!-- c --><p onclick="x" id="app"><a href="javascript:x">a</a><img src="https://x.example/y"></p><svg></svg>',
      ),
    ).toEqual(['comment', 'p[onClick]', 'id app', 'href javascript:x', 'src https://x.example/y', '<svg>']);
  });

  it('stays harmless and reads back the same in any mixture', () => {
    const pieces = HOSTILE_MARKDOWN.map((one) => one.markdown);
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.constantFrom(...pieces), fc.constantFrom('', ' ', '\n', '\n\n', '\n> ', '\n- ')),
          {
            minLength: 2,
            maxLength: 5,
          },
        ),
        (mixture) => {
          const { html, plainText } = renderMarkdown(mixture.flat().join(''));
          expect(offences(html)).toEqual([]);
          expect(readPlainText<Nodes>(fromHtml(html, { fragment: true }) as Root, hastTree).text).toBe(
            plainText,
          );
        },
      ),
      { numRuns: 1_500, seed: 7 },
    );
  });

  it('documents 15.42: raw controls and forged marks yield no control', () => {
    const forged =
      '<input type=checkbox> <fieldset data-decision-id="x"><legend>Pick</legend>a</fieldset>\n\n' +
      '<div data-mark="decision:0"><ul><li data-mark="option:0">b</li></ul></div>';
    const { html, decisions } = renderMarkdown(forged);
    expect(html).not.toMatch(/<(?:input|fieldset|label)|data-decision|data-mark/);
    expect(html).toContain('Pick');
    expect(decisions).toEqual([]);
  });

  it('documents 15.41: a remote image becomes a box that names its host and links to it', () => {
    const { html, plainText, warnings } = renderMarkdown(`![A chart](https://${HOSTILE_HOST}/chart.png)`);
    expect(html).not.toContain('<img');
    expect(html).toContain(`Image from ${HOSTILE_HOST}`);
    expect(html).toContain(`href="https://${HOSTILE_HOST}/chart.png"`);
    expect(plainText).toBe('A chart\n');
    expect(warnings.map((warning) => warning.code)).toEqual(['remote_image']);
  });

  it('documents 15.43: a diagram stays source, whatever it says', () => {
    const { html, plainText } = renderMarkdown('```mermaid\ngraph TD\n  click A "javascript:x()"\n```');
    expect(html).toContain('<pre data-language="mermaid"');
    expect(plainText).toBe('graph TD\n  click A "javascript:x()"\n');
  });

  it('shows the tag of an element that is never closed, so that nothing after it vanishes', () => {
    for (const tag of ['title', 'object', 'svg', 'template', 'select', 'iframe', 'textarea', 'table']) {
      const { plainText } = renderMarkdown(`Use the <${tag}> tag.\n\nThe next paragraph.`);
      expect(plainText).toContain(`<${tag}> tag.`);
      expect(plainText).toContain('The next paragraph.');
    }
  });
});
