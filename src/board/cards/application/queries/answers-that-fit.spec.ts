import { jsonLength } from '#libs/kernel/answer-size.js';
import { fullPage, shortRow, writtenCard } from './answers-that-fit.js';
import type { FullCard } from './full-card.js';

const ROW = {
  cardId: '01a2316e-f94a-7000-a60d-8866c1244441',
  number: 7,
  title: 'Lamps',
  type: 'feature',
  status: 'backlog',
  reporter: 'agent',
  parentCardId: null,
  updatedAt: '2026-12-01T11:48:06.076Z',
  state: null,
};

function card(body: string, children = 0): FullCard {
  const child = { cardId: ROW.cardId, number: 8, title: 'x'.repeat(200), status: 'next' };
  return { ...ROW, body, children: Array.from({ length: children }, () => child) } as unknown as FullCard;
}

describe('answers about cards', () => {
  test('fifty rows with titles of any length stay below 18,000 characters; a cut title says so', () => {
    for (const title of ['x'.repeat(255), 'ü"\\'.repeat(85), '👩‍👩‍👧'.repeat(51)]) {
      const row = shortRow({ ...ROW, title });
      expect(50 * jsonLength(row)).toBeLessThan(18_000);
      expect(row.title.endsWith('…')).toBe(true);
      expect(title.startsWith(row.title.slice(0, -1))).toBe(true);
    }
    expect(shortRow(ROW)).toBe(ROW);
  });

  test('a title keeps its beginning beside a long state', () => {
    const state = { kind: 'stuck', code: 'paused', since: null, reason: 'y'.repeat(400), others: [] };
    const { title } = shortRow({ ...ROW, title: 'x'.repeat(255), state } as never);
    expect(title).toBe(`${'x'.repeat(59)}…`);
  });

  test('a card that was just written answers within 20,000 characters and counts what is left out', () => {
    const body = '👩‍👩‍👧 "quoted"\n'.repeat(3_000);
    const written = writtenCard(card(body));
    expect(jsonLength(written)).toBeLessThanOrEqual(20_050);
    expect(body.startsWith(written.body)).toBe(true);
    expect([...written.body].length + written.bodyLeftOut!).toBe([...body].length);
    const short = card('Short.');
    expect(writtenCard(short)).toBe(short);
  });

  test('children give way when a body cannot give enough', () => {
    const written = writtenCard(card('Short.', 400));
    expect(jsonLength(written)).toBeLessThanOrEqual(20_100);
    expect(written.children.length + written.childrenLeftOut!).toBe(400);
  });

  test('long cards of a page share what short ones leave, and short ones stay whole', () => {
    const cards = [
      ...Array.from({ length: 98 }, () => card('Short.')),
      card('x'.repeat(90_000)),
      card('y'.repeat(99_000)),
    ];
    const page = fullPage(cards);
    expect(jsonLength(page)).toBeLessThanOrEqual(101_000);
    expect(page.slice(0, 98)).toEqual(cards.slice(0, 98));
    for (const long of page.slice(98)) expect(long.body.length).toBeGreaterThan(30_000);
    expect(fullPage([])).toEqual([]);
  });
});
