import type { Placement } from './anchor.js';
import { anchorOf } from './make-anchor.js';
import { locate, relocate } from './relocate.js';

const FIRST = 'Exports move to a queue, so that a slow partner never blocks the others.\n';
const SECOND = 'A job writes to a temporary name and renames at the end.\n';
const THIRD = 'Failed jobs are tried again after one, five and twenty minutes.\n';

function anchorAt(text: string, quote: string, occurrence = 1) {
  let at = -1;
  for (let k = 0; k < occurrence; k++) at = text.indexOf(quote, at + 1);
  return anchorOf(text, at, at + quote.length);
}

function move(
  before: string,
  after: string,
  quote: string,
  occurrence = 1,
): (Placement & { text: string }) | null {
  const [placement] = relocate(before, after, [anchorAt(before, quote, occurrence)]);
  return placement == null ? null : { ...placement, text: after.slice(placement.start, placement.end) };
}

describe('Finding a passage again', () => {
  it('keeps it as it is when nothing around it changed', () => {
    const before = FIRST + SECOND + THIRD;
    expect(move(before, `New first line.\n${before}`, 'a temporary name')).toMatchObject({
      kind: 'exact',
      text: 'a temporary name',
    });
  });

  it('says that it moved when its surroundings changed', () => {
    const after = FIRST + SECOND.replace('A job writes to', 'Each worker first fills') + THIRD;
    expect(move(FIRST + SECOND + THIRD, after, 'a temporary name')).toMatchObject({
      kind: 'moved',
      text: 'a temporary name',
    });
  });

  it('follows a passage of which some words changed, and says so', () => {
    const after = FIRST + SECOND.replace('temporary name', 'hidden name') + THIRD;
    expect(
      move(FIRST + SECOND + THIRD, after, 'writes to a temporary name and renames at the end'),
    ).toMatchObject({
      kind: 'fuzzy',
      text: 'writes to a hidden name and renames at the end',
    });
  });

  it('never sits on other words: a rewritten sentence is lost', () => {
    const after = `${FIRST}Nobody may read the file before the upload has been checked by hand.\n${THIRD}`;
    expect(move(FIRST + SECOND + THIRD, after, 'writes to a temporary name')).toBeNull();
  });

  it('does not take a common phrase elsewhere for a passage that is gone', () => {
    const before = `${FIRST}The owner of the file decides.\n${THIRD}`;
    const after = `${FIRST}${THIRD}Every export has a name, and the owner of the file pays for it in the end.\n`;
    expect(move(before, after, 'owner of the file')).toBeNull();
  });

  it('documents 15.13: a quote that occurs twice goes with its surroundings when paragraphs are swapped', () => {
    const one = 'For exports the limit applies per partner, as the contract asks.\n';
    const two = 'For imports the limit applies per partner, since files are large.\n';
    for (const occurrence of [1, 2]) {
      const found = move(FIRST + one + two, FIRST + two + one, 'the limit applies per partner', occurrence)!;
      const line = (FIRST + two + one).slice(0, found.start).split('\n').at(-1);
      expect(line).toBe(occurrence === 1 ? 'For exports ' : 'For imports ');
    }
  });

  it('keeps two comments on the same sentence apart, also after an insertion before both', () => {
    const same = 'This needs a second look.\n';
    const before = FIRST + same + SECOND + same + THIRD;
    const after = `Something new comes first.\n${before}`;
    const placements = relocate(before, after, [
      anchorAt(before, same.trim(), 1),
      anchorAt(before, same.trim(), 2),
    ]);
    expect(placements.map((one) => one?.start)).toEqual([after.indexOf(same), after.lastIndexOf(same)]);
  });

  it('keeps identical neighbours in their order', () => {
    const before = 'Same.\nSame.\nSame.\n';
    const after = 'Intro.\nSame.\nSame.\nSame.\n';
    const anchors = [0, 6, 12].map((start) => anchorOf(before, start, start + 5));
    expect(relocate(before, after, anchors).map((one) => one?.start)).toEqual([7, 13, 19]);
  });

  it('keeps nested and overlapping passages each on their own words', () => {
    const before = FIRST + SECOND;
    const after = `Added.\n${before}`;
    const quotes = ['a slow partner never blocks', 'partner', 'never blocks the others.\nA job writes'];
    const placements = relocate(
      before,
      after,
      quotes.map((quote) => anchorAt(before, quote)),
    );
    expect(placements.map((one) => after.slice(one!.start, one!.end))).toEqual(quotes);
  });

  it('holds a passage across two paragraphs, two list items and two cells', () => {
    const before = 'Intro words here\nfirst item\nsecond item\nName\tValue\nlimit\t100\n';
    const after = `Heading\n${before}`;
    for (const quote of ['words here\nfirst', 'first item\nsecond item', 'Value\nlimit\t100']) {
      expect(move(before, after, quote)?.text).toBe(quote);
    }
  });

  it('follows a paragraph that was split in two, and two that became one', () => {
    const joined = 'The queue holds one job for each sailing. Workers take four jobs at a time.\n';
    const split = 'The queue holds one job for each sailing.\nWorkers take four jobs at a time.\n';
    expect(move(joined, split, 'each sailing. Workers take')?.text).toBe('each sailing.\nWorkers take');
    expect(move(split, joined, 'each sailing.\nWorkers take')?.text).toBe('each sailing. Workers take');
  });

  it('finds composed letters when the next version decomposes them', () => {
    const before = `Intro line.\nDas Caf\u00e9 öffnet früh und schließt spät.\n`;
    const after = `Neu.\n${before}`.normalize('NFD');
    expect(move(before, after, 'Caf\u00e9 öffnet früh')?.text).toBe('Caf\u00e9 öffnet früh'.normalize('NFD'));
  });

  it('finds words although no-break spaces became blanks', () => {
    const before = 'A limit of 10\u00a0000 rows holds for each table.\n';
    expect(
      move(before, 'Intro.\nA limit of 10 000 rows holds for each table.\n', '10\u00a0000 rows')?.text,
    ).toBe('10 000 rows');
  });

  it.each([
    ['family emoji', 'The team 👩‍👩‍👧‍👦 signs off on Friday.\n', '👩‍👩‍👧‍👦 signs'],
    ['flags', 'Ships from 🇧🇪 and 🇳🇱 call here daily.\n', '🇧🇪 and 🇳🇱'],
    [
      'Arabic with an English product name',
      'نستخدم PostgreSQL لتخزين البيانات كل يوم\n',
      'PostgreSQL لتخزين',
    ],
    ['Chinese without spaces', '导出任务写入临时文件然后重命名。\n', '临时文件'],
    ['signs alone', 'The rule is a => b && c for every row.\n', '=> b &&'],
  ])('carries %s', (_, before, quote) => {
    expect(move(before, `Inserted before.\n${before}Appended.\n`, quote)).toMatchObject({
      text: quote,
      kind: 'exact',
    });
  });

  it('documents 15.12: an orphan heals when its words come back', () => {
    const first = FIRST + SECOND + THIRD;
    const anchor = anchorAt(first, 'writes to a temporary name');
    const without = FIRST + THIRD;
    expect(relocate(first, without, [anchor])).toEqual([null]);
    const [healed] = relocate(without, first, [anchor]);
    expect(first.slice(healed!.start, healed!.end)).toBe('writes to a temporary name');
  });

  it('documents 15.12: an orphan heals in new surroundings too, where its words stand once', () => {
    const anchor = anchorAt(FIRST + SECOND, 'a temporary name');
    const after = `${FIRST}In the end a temporary name it is, as before.\n`;
    const [healed] = relocate(FIRST, after, [anchor]);
    expect(healed).toMatchObject({ kind: 'moved', start: after.indexOf('a temporary name') });
    expect(relocate(FIRST, `${after}Or a temporary name of another kind.\n`, [anchor])).toEqual([null]);
  });

  it('finds a passage without the old text, by its surroundings, else nearest to its place', () => {
    const text = 'the limit is ten.\nFor files the limit is ten.\n';
    const anchor = { quote: 'the limit is ten', prefix: 'For files ', suffix: '.', start: 0 };
    expect(locate(text, anchor)?.start).toBe(28);
    expect(locate(text, { ...anchor, prefix: '', suffix: '', start: 40 })?.start).toBe(28);
    expect(locate(text, { ...anchor, quote: 'gone' })).toBeNull();
  });

  it('answers nothing for nothing', () => {
    expect(relocate('a', 'b', [])).toEqual([]);
    expect(relocate('', '', [{ quote: 'x', prefix: '', suffix: '', start: 0 }])).toEqual([null]);
  });

  it('documents 13: carries 1,000 threads on 1 MB', () => {
    const words = 'export queue partner file table limit worker retry status version'.split(' ');
    const lines = Array.from({ length: 12_000 }, (_, line) =>
      Array.from(
        { length: 12 },
        (_, at) => `${words[(line * 7 + at * 3) % 10]}${(line * 13 + at) % 997}`,
      ).join(' '),
    );
    const before = `${lines.join('\n')}\n`;
    const after = `${lines.map((line, index) => (index % 5 === 0 ? line.replace('queue', 'stream') : line)).join('\n')}\n`;
    expect(before.length).toBeGreaterThan(1_000_000);
    const anchors = Array.from({ length: 1_000 }, (_, k) => anchorOf(before, k * 1_000, k * 1_000 + 60));
    const placements = relocate(before, after, anchors);
    expect(placements.filter((one) => one !== null).length).toBeGreaterThan(990);
  });
});
