import { type TestNode, treeFromHtml } from '../testing/tree-from-html';
import { TextMap } from './text-map';

function page(html: string, text: string) {
  const root = treeFromHtml(html);
  const map = new TextMap<TestNode>(root, root.blocks(), text);
  const shown = (start: number, end: number) =>
    map
      .slices(start, end)
      .map(({ node, from, to }) => node.data!.slice(from, to))
      .join('|');
  const offset = (words: string, edge: 'start' | 'end') => {
    const { node, at } = root.find(words);
    return map.offsetAt(node, edge === 'start' ? at : at + words.length, edge);
  };
  return { root, map, shown, offset, text };
}

describe('TextMap', () => {
  it('finds the offsets of a selection in a paragraph with inline elements, and the way back', () => {
    const text = 'Exports run from a queue, one job each.\n';
    const { offset, shown } = page(
      '<p data-start="0">Exports <em>run from</em> a queue, one job each.</p>',
      text,
    );
    expect(offset('from', 'start')).toBe(12);
    expect(offset('a queue', 'end')).toBe(24);
    expect(shown(12, 24)).toBe('from| a queue');
  });

  it('counts a run of white space once and none at the edges of a block', () => {
    const text = 'one two three\nfour\n';
    const { offset, shown } = page(
      '<p data-start="0">\n  one\n   two  three  </p>\n<p data-start="14">four</p>',
      text,
    );
    expect(offset('two', 'start')).toBe(4);
    expect(offset('three', 'end')).toBe(13);
    expect(offset('four', 'start')).toBe(14);
    expect(shown(4, 7)).toBe('two');
    expect(shown(0, 13).replace(/\s+/g, ' ').trim()).toBe('one two three');
  });

  it('keeps a code block verbatim', () => {
    const text = 'a\n  b  c\n\nd\nend\n';
    const { offset, shown } = page(
      '<pre data-start="0"><code>a\n  b  c\n\nd\n</code></pre><p data-start="12">end</p>',
      text,
    );
    expect(offset('b  c', 'start')).toBe(4);
    expect(shown(4, 8)).toBe('b  c');
    expect(offset('d', 'start')).toBe(10);
  });

  it('skips what carries no anchor and moves a place inside of it to the text beside it', () => {
    const html =
      '<div><span data-no-anchor>Warning</span><p data-start="0">Free 40 GB <span data-no-anchor>badge</span>first.</p></div>';
    const { map, root, offset } = page(html, 'Free 40 GB first.\n');
    const title = root.find('Warning');
    expect(map.offsetAt(title.node, 2, 'start')).toBe(0);
    expect(map.offsetAt(root.find('badge').node, 1, 'end')).toBe(11);
    expect(offset('first', 'start')).toBe(11);
  });

  it('follows line breaks, images and text of a list entry on both sides of a nested list', () => {
    const text = 'top a lamp\nnext\ninner\nafter\n';
    const html =
      '<ul><li data-start="0">top <img alt="a  lamp"><br>next<ul><li data-start="16">inner</li></ul>after</li></ul>';
    const { offset, shown } = page(html, text);
    expect(offset('next', 'start')).toBe(11);
    expect(offset('inner', 'start')).toBe(16);
    expect(offset('after', 'start')).toBe(22);
    expect(shown(22, 27)).toBe('after');
    expect(shown(11, 21)).toBe('next|inner');
  });

  it('spans two paragraphs, two list entries and two table cells', () => {
    const text = 'First one.\nSecond one.\nA\tB\nx\ty\n';
    const html =
      '<p data-start="0">First one.</p><p data-start="11">Second one.</p><table><tr><th data-start="23">A</th><th data-start="25">B</th></tr><tr><td data-start="27">x</td><td data-start="29">y</td></tr></table>';
    const { shown, map } = page(html, text);
    expect(shown(6, 17)).toBe('one.|Second');
    expect(shown(23, 30)).toBe('A|B|x|y');
    expect(map.blocksIn(6, 17)).toHaveLength(2);
  });

  it('takes a place between elements, as browsers give it for a whole selected block', () => {
    const { map, root } = page('<p data-start="0">One.</p><p data-start="5">Two.</p>', 'One.\nTwo.\n');
    expect(map.offsetAt(root, 1, 'start')).toBe(5);
    expect(map.offsetAt(root, 1, 'end')).toBe(4);
    expect(map.offsetAt(root, 0, 'end')).toBeNull();
    expect(map.offsetAt(root.childNodes[1]!, 0, 'start')).toBe(5);
  });

  it('stays right behind a no-break space, an emoji family and right-to-left text', () => {
    const text = 'a b 👨‍👩‍👧 منتج Loupe جديد\n';
    const { offset, shown } = page('<p data-start="0">a\u00a0b 👨‍👩‍👧 منتج Loupe جديد</p>', text);
    expect(text.slice(offset('Loupe', 'start')!, offset('Loupe', 'end')!)).toBe('Loupe');
    expect(shown(offset('جديد', 'start')!, offset('جديد', 'end')!)).toBe('جديد');
  });

  it('gives the own text of a block', () => {
    const { map } = page('<p data-start="0"> One two. </p><p data-start="9"></p>', 'One two.\n\n');
    expect(map.rangeOf(map.all[0]!)).toEqual({ start: 0, end: 8 });
    expect(map.rangeOf(map.all[1]!)).toBeNull();
  });
});
