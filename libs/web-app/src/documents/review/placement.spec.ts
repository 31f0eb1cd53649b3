import fc from 'fast-check';
import { placeCards, type Wish } from './placement';

const tops = (wishes: Wish[], active: string | null = null) =>
  placeCards(wishes, active, 10).cards.map(({ top }) => top);

describe('placeCards', () => {
  it('puts a card level with its passage and moves the next one down when they would overlap', () => {
    expect(
      tops([
        { id: 'a', wanted: 100, height: 50 },
        { id: 'b', wanted: 120, height: 50 },
        { id: 'c', wanted: 400, height: 50 },
      ]),
    ).toEqual([100, 160, 400]);
  });

  it('keeps the active card at its passage and makes the others give way', () => {
    expect(
      tops(
        [
          { id: 'a', wanted: 100, height: 50 },
          { id: 'b', wanted: 120, height: 50 },
          { id: 'c', wanted: 130, height: 50 },
        ],
        'b',
      ),
    ).toEqual([60, 120, 180]);
  });

  it('never lifts a card above the margin; then the active one moves down as little as it must', () => {
    expect(
      tops(
        [
          { id: 'a', wanted: 0, height: 80 },
          { id: 'b', wanted: 20, height: 50 },
        ],
        'b',
      ),
    ).toEqual([0, 90]);
  });

  it('lets a card without a passage follow the one before it', () => {
    const { cards, bottom } = placeCards(
      [
        { id: 'a', wanted: 100, height: 50 },
        { id: 'lost', wanted: null, height: 40 },
      ],
      null,
      10,
    );
    expect(cards[1]).toEqual({ id: 'lost', top: 160, tether: 0 });
    expect(bottom).toBe(200);
  });

  it('says how far the passage is from where the card stands', () => {
    const { cards } = placeCards(
      [
        { id: 'a', wanted: 100, height: 50 },
        { id: 'b', wanted: 110, height: 50 },
      ],
      null,
      10,
    );
    expect(cards[1]!.tether).toBe(-50);
  });

  it('never lets two cards overlap and keeps their order, whatever is wanted', () => {
    const wish = fc.record({
      wanted: fc.option(fc.integer({ min: 0, max: 2000 })),
      height: fc.integer({ min: 20, max: 400 }),
    });
    fc.assert(
      fc.property(fc.array(wish, { minLength: 1, maxLength: 30 }), fc.nat(), (list, pick) => {
        const wishes = list.map((one, index) => ({ ...one, id: String(index) }));
        const { cards } = placeCards(wishes, String(pick % wishes.length), 10);
        cards.forEach((card, index) => {
          expect(card.top).toBeGreaterThanOrEqual(0);
          if (index > 0)
            expect(card.top).toBeGreaterThanOrEqual(cards[index - 1]!.top + wishes[index - 1]!.height + 10);
        });
      }),
    );
  });
});
