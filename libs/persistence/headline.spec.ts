import fc from 'fast-check';
import { TestDatabase } from '../../test/support/test-database.js';
import { HEADLINE_OPTIONS, headline, markedHtml, placesOf, TITLE_OPTIONS } from './headline.js';

describe('excerpts with marks', () => {
  let postgres: TestDatabase;

  beforeAll(async () => {
    postgres = await TestDatabase.start({ migrated: false });
  });
  afterAll(() => postgres.stop());

  async function excerpt(text: string, words: string, options = HEADLINE_OPTIONS): Promise<string | null> {
    const row = await postgres.database.one<{ marked: string }>(
      `SELECT ${headline({
        configuration: `'english'::regconfig`,
        text: '$1::text',
        query: `websearch_to_tsquery('english', $2)`,
        options: '$3',
        places: '$4',
      })} AS marked`,
      [text, words, options, placesOf(words.match(/[\p{L}\p{N}]+/gu) ?? [])],
    );
    return markedHtml({ marked: row!.marked, beginning: text.slice(0, 200) });
  }

  test('words are marked in all their forms, and everything else is escaped', async () => {
    expect(await excerpt('Export the <b>exported</b> "rows" & more', 'exports')).toBe(
      '<mark>Export</mark> the &lt;b&gt;<mark>exported</mark>&lt;/b&gt; &quot;rows&quot; &amp; more',
    );
  });

  test('a title keeps every sign, also what looks like a tag', async () => {
    expect(await excerpt('Use <dialog> & <mark>export</mark>', 'export', TITLE_OPTIONS)).toBe(
      'Use &lt;dialog&gt; &amp; &lt;mark&gt;<mark>export</mark>&lt;/mark&gt;',
    );
  });

  test('signs that mark are taken out of the text itself', async () => {
    expect(await excerpt('a \u0002fake\u0003 mark \u0001script> export', 'export')).toBe(
      'a fake mark script&gt; <mark>export</mark>',
    );
  });

  test('a long text is looked at where the word stands', async () => {
    const text = `${'Some words of a plan. '.repeat(20_000)}The zeppelin lands here. ${'Further words. '.repeat(20_000)}`;
    const found = await excerpt(text, 'zeppelins');
    expect(found).toMatch(/^… .*<mark>zeppelin<\/mark> lands here/);
    expect(found!.length).toBeLessThan(500);
  });

  test('a text without the word shows its beginning, and an empty one nothing', async () => {
    expect(await excerpt('Nothing of that kind.', 'zeppelin')).toBe('Nothing of that kind.');
    expect(await excerpt('', 'zeppelin')).toBeNull();
  });

  test('whatever the text is, the only tag of an excerpt is a mark, and it is closed', () => {
    const hostile = fc.array(
      fc.constantFrom(
        '\u0001',
        '\u0002',
        '\u0003',
        '<',
        '>',
        '&',
        '"',
        "'",
        'script',
        ' ',
        'é',
        'שלום',
        '🚢',
      ),
    );
    fc.assert(
      fc.property(hostile, (parts) => {
        const html = markedHtml({ marked: parts.join('') }) ?? '';
        expect(html.replaceAll(/<mark>[^<>]*<\/mark>/g, '')).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
      }),
    );
  });
});
