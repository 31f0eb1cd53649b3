import { PALETTE as ofCards } from './cards/domain/palette.js';
import { PALETTE as ofTemplates } from './workflow/domain/places.js';

// Each area keeps its own list, because their domains do not import each other.
it('columns and templates know the same colours', () => {
  expect(ofTemplates).toEqual(ofCards);
});
