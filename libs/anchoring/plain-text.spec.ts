import { type DomNodeLike, domTree } from './dom-tree.js';
import { nodesOfSpan, offsetOfPoint, readPlainText } from './plain-text.js';

/** A DOM as far as reading goes: `['p', 'text', ['b', 'bold']]`, attributes as an object in second place. */
type Spec = string | readonly [string, ...(Spec | Record<string, string>)[]];

function node(spec: Spec): DomNodeLike {
  if (typeof spec === 'string') return { nodeType: 3, nodeName: '#text', nodeValue: spec, childNodes: [] };
  const [name, ...rest] = spec;
  const attributes = (rest.find((one) => typeof one === 'object' && !Array.isArray(one)) ?? {}) as Record<
    string,
    string
  >;
  return {
    nodeType: 1,
    nodeName: name.toUpperCase(),
    nodeValue: null,
    childNodes: rest.filter((one): one is Spec => typeof one === 'string' || Array.isArray(one)).map(node),
    getAttribute: (attribute) => attributes[attribute] ?? null,
    hasAttribute: (attribute) => attribute in attributes,
  };
}

const read = (spec: Spec) => readPlainText(node(spec), domTree);

describe('Reading plain text', () => {
  it.each<[string, Spec, string]>([
    ['ends each block with a line feed', ['div', ['p', 'one'], ['p', 'two']], 'one\ntwo\n'],
    [
      'collapses white space and trims the edges of blocks',
      ['p', ' \n a \t b', ['b', ' c '], ' '],
      'a b c\n',
    ],
    ['keeps no-break spaces', ['p', 'a\u00a0 b'], 'a\u00a0 b\n'],
    ['gives a break a line feed', ['p', 'a ', ['br'], ' b'], 'a\nb\n'],
    ['parts cells by a tab, empty ones too', ['table', ['tr', ['td', 'a'], ['td'], ['td', 'c']]], 'a\t\tc\n'],
    ['takes code as it is', ['pre', ['code', 'a  b\n\tc\n']], 'a  b\n\tc\n'],
    ['ends code without a last line feed', ['div', ['pre', 'x'], ['p', 'y']], 'x\ny\n'],
    [
      'reads the alternative text of an image',
      ['p', 'see ', ['img', { alt: 'a  chart' }], '.'],
      'see a chart.\n',
    ],
    ['passes over what carries no anchor', ['p', 'a', ['sup', { 'data-no-anchor': '' }, '1'], ' b'], 'a b\n'],
    ['gives nothing for empty blocks', ['div', ['p', ' '], ['pre', ''], ['ul', ['li']]], ''],
    ['keeps an entry apart from the list inside it', ['ul', ['li', 'a', ['ul', ['li', 'b']]]], 'a\nb\n'],
  ])('%s', (_, spec, text) => {
    expect(read(spec).text).toBe(text);
  });

  it('knows where each block begins, and reads the same characters from the block alone', () => {
    const spec: Spec = [
      'div',
      ['h2', 'Title'],
      ['ul', ['li', ['p', 'one']], ['li', 'two ', ['ul', ['li', 'in']]]],
      ['p', 'end'],
    ];
    const whole = read(spec);
    expect(whole.blocks.map(({ node: { nodeName }, start }) => [nodeName, start])).toEqual([
      ['H2', 0],
      ['P', 6],
      ['LI', 10],
      ['LI', 14],
      ['P', 17],
    ]);
    for (const block of whole.blocks) {
      const alone = readPlainText(block.node, domTree).text;
      expect(whole.text.slice(block.start, block.start + alone.length)).toBe(alone);
    }
  });

  it('leads from a span back to its nodes and from a point to its offset', () => {
    const plain = read(['p', 'one  two', ['b', 'three'], ' four']);
    expect(plain.text).toBe('one twothree four\n');
    expect(
      nodesOfSpan(plain, 4, 12).map(({ node: { nodeValue }, from, to }) => nodeValue!.slice(from, to)),
    ).toEqual(['two', 'three']);
    const bold = plain.runs.find((run) => run.node.nodeValue === 'three')!.node;
    expect(offsetOfPoint(plain, bold, 2)).toBe(9);
    const first = plain.runs[0]!.node;
    expect(offsetOfPoint(plain, first, 4)).toBe(4);
    expect(offsetOfPoint(plain, node('other'), 0)).toBeNull();
  });
});
