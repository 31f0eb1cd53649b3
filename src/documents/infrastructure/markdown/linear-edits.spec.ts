import fc from 'fast-check';
import { EditMap } from 'micromark-util-edit-map';
import { applyEdits } from './linear-edits.js';

// Taken before anything replaces it, so that both ways can be compared.
const original = EditMap.prototype.consume as unknown as (events: unknown[]) => void;

describe('Edits of parse events', () => {
  it('come out as the parser itself applies them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer(), { maxLength: 40 }),
        fc.uniqueArray(fc.tuple(fc.nat(40), fc.nat(3), fc.array(fc.integer(), { maxLength: 3 })), {
          maxLength: 8,
          selector: ([at]) => at,
        }),
        (events, edits) => {
          const fitting = edits.filter(([at, remove]) => at + remove <= events.length);
          const noted = () => {
            const map = new EditMap();
            for (const [at, remove, add] of fitting) map.add(at, remove, [...add] as never);
            return map;
          };
          const expected = [...events];
          original.call(noted(), expected);
          const actual = [...events];
          applyEdits(noted() as never, actual);
          expect(actual).toEqual(expected);
        },
      ),
    );
  });
});
