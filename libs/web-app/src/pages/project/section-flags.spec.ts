import { flagOfSection } from './section-flags';

test('a section is known by the first part of its address, and a name of the language is none', () => {
  expect(flagOfSection('inbox')).toBe('inbox.enabled');
  expect(flagOfSection('board/cards/12')).toBe('board.enabled');
  expect(flagOfSection('documents')).toBeNull();
  expect(flagOfSection('constructor')).toBeNull();
});
