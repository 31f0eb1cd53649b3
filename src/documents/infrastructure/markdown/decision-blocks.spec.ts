import { renderMarkdown } from './render-markdown.js';

const block = (id: string, body: string) => `<!-- decision: ${id} -->\n\n${body}\n\n<!-- /decision -->\n`;

const EXAMPLE = block(
  'export-format',
  'Which format does the export have?\n\n1. One JSON file for each project (recommended: moderate)\n2. One CSV file for each table',
);

describe('Decision blocks', () => {
  it('documents 15.34: the example shows two radio buttons, a badge on the first and no comment', () => {
    const { html, decisions, plainText, warnings } = renderMarkdown(EXAMPLE);
    expect(decisions).toEqual([
      {
        id: 'export-format',
        type: 'single',
        question: 'Which format does the export have?',
        options: [
          { label: 'One JSON file for each project', recommended: 'moderate' },
          { label: 'One CSV file for each table', recommended: null },
        ],
      },
    ]);
    expect(html.match(/type="radio"/g)).toHaveLength(2);
    expect(html).toContain(
      '<fieldset class="decision" data-decision-id="export-format" data-decision-type="single"><legend',
    );
    expect(html.match(/aria-label="Recommended, moderate confidence"/g)).toHaveLength(1);
    expect(html).toContain('★★☆');
    expect(html).not.toContain('decision:');
    expect(plainText).toBe(
      'Which format does the export have?\nOne JSON file for each project\nOne CSV file for each table\n',
    );
    expect(warnings).toEqual([]);
  });

  it('where nobody can answer, question and options are prose without any control', () => {
    const boxes = block('parts', 'Which *parts*?\n\n- [ ] One `a`\n\n- [x] Two\n');
    const { html, plainText } = renderMarkdown(`${EXAMPLE}\n${boxes}`, { decisions: 'text' });
    expect(html).not.toMatch(/<(fieldset|input|label|legend|button)/);
    expect(html).not.toContain('decision');
    expect(plainText).toBe(
      'Which format does the export have?\nOne JSON file for each project (recommended, moderate confidence)\n' +
        'One CSV file for each table\nWhich parts?\nOne a\nTwo\n',
    );
    expect(html).toContain('<em>parts</em>');
  });

  it('documents 15.35: boxes make it a multiple choice, and [x] answers nothing', () => {
    const { html, decisions } = renderMarkdown(block('parts', '- [ ] One\n- [x] Two\n- [X] Three'));
    expect(decisions[0]).toMatchObject({
      type: 'multiple',
      question: '',
      options: [{ label: 'One' }, { label: 'Two' }, { label: 'Three' }],
    });
    expect(html.match(/type="checkbox"/g)).toHaveLength(3);
    expect(html).not.toContain('checked');
  });

  it('takes round markers, bullets, loose lists, inline formatting and images into labels', () => {
    const { decisions, html } = renderMarkdown(
      block(
        'a',
        '* ( ) **Bold** `code`\n\n* ( ) ![An icon](https://x.example/i.png) and [link](https://x.example)',
      ),
    );
    expect(decisions[0]!.options.map((option) => option.label)).toEqual(['Bold code', 'An icon and link']);
    expect(html).toContain('<strong>Bold</strong>');
    expect(html).not.toMatch(/<label[^>]*>(?:(?!<\/label>)[\s\S])*<p/);
  });

  it('gives no badge when two options are recommended, and keeps their text', () => {
    const { decisions, html } = renderMarkdown(block('a', '- x (recommended: high)\n- y (Recommended: low)'));
    expect(decisions[0]!.options).toEqual([
      { label: 'x (recommended: high)', recommended: null },
      { label: 'y (Recommended: low)', recommended: null },
    ]);
    expect(html).not.toContain('stars');
  });

  it.each([
    ['high', '★★★'],
    ['low', '★☆☆'],
  ])('shows %s confidence as %s', (strength, stars) => {
    expect(renderMarkdown(block('a', `- x (recommended: ${strength})\n- y`)).html).toContain(stars);
  });

  it.each([
    ['mixed markers', block('a', '- [ ] x\n- ( ) y')],
    ['partial markers', block('a', '- [ ] x\n- y')],
    ['a nested list', block('a', '- x\n  - y')],
    ['an entry of two paragraphs', block('a', '- x\n\n  y')],
    ['two paragraphs before the list', block('a', 'x\n\ny\n\n- z')],
    ['text after the list', block('a', '- x\n\ny')],
    ['no list', block('a', 'x')],
    ['nothing', '<!-- decision: a -->\n\n<!-- /decision -->\n'],
    ['an id of 65 characters', block('a'.repeat(65), '- x')],
    ['an id with capitals', block('Format', '- x')],
    ['an empty id', block('', '- x')],
    ['51 options', block('a', '- x\n'.repeat(51))],
    ['no closer', '<!-- decision: a -->\n\n- x\n'],
    ['an empty option', block('a', '- x\n-\n- y')],
  ])('documents 15.38: %s show as ordinary text with a warning, and the next block works', (_, malformed) => {
    const next = '\nWords between.\n\n';
    const { decisions, warnings, html } = renderMarkdown(malformed + next + block('next-one', '- p\n- q'));
    expect(decisions.map((decision) => decision.id)).toEqual(['next-one']);
    expect(warnings.map((warning) => warning.code)).toEqual(['decision_malformed']);
    expect(html.match(/<fieldset/g)).toHaveLength(1);
    expect(html).not.toContain('<!--');
  });

  it('documents 15.38: a second block with the same id shows as a list with a warning', () => {
    const { decisions, warnings, html } = renderMarkdown(block('a', '- one') + block('a', '- two'));
    expect(decisions).toHaveLength(1);
    expect(warnings).toEqual([expect.objectContaining({ code: 'decision_duplicate', decisionId: 'a' })]);
    expect(html).toMatch(/<ul>\s*<li[^>]*>two/);
  });

  it('a second opener abandons the first and opens a block of its own', () => {
    const { decisions, warnings } = renderMarkdown(`<!-- decision: a -->\n\nlost\n\n${block('b', '- x')}`);
    expect(decisions.map((decision) => decision.id)).toEqual(['b']);
    expect(warnings).toEqual([expect.objectContaining({ code: 'decision_malformed', decisionId: 'a' })]);
  });

  it('documents 15.39: a block inside a code fence stays code', () => {
    const { html, decisions, plainText } = renderMarkdown(`\`\`\`\`md\n${EXAMPLE}\n\`\`\`\``);
    expect(decisions).toEqual([]);
    expect(html).not.toContain('fieldset');
    expect(plainText).toContain('<!-- decision: export-format -->');
  });

  it('needs no blank lines around the markers', () => {
    const { decisions } = renderMarkdown(
      'Before\n<!--decision:a-->\nWhich?\n- x\n- y\n<!--   /decision   -->\nAfter',
    );
    expect(decisions).toEqual([
      {
        id: 'a',
        type: 'single',
        question: 'Which?',
        options: [
          { label: 'x', recommended: null },
          { label: 'y', recommended: null },
        ],
      },
    ]);
  });

  it('works inside a quote, and raw HTML around it cannot tear it apart unseen', () => {
    expect(renderMarkdown(EXAMPLE.replace(/^/gm, '> ')).decisions).toHaveLength(1);
    const { decisions, html } = renderMarkdown(`<div>\n\n${EXAMPLE}\n</div>\n\n<b>\n\n${block('b', '- x')}`);
    expect(decisions).toHaveLength(2);
    expect(html.match(/<fieldset/g)).toHaveLength(2);
  });
});
