import { initialsOf } from './initials';

describe('initials', () => {
  test.each([
    ['Ines Marlow', 'IM'],
    ['  ines   van der marlow ', 'IM'],
    ['Tobi', 'T'],
    ['Agent for Tobi', 'AT'],
    ['élan vital', 'ÉV'],
    ['(Ines) «Marlow»', 'IM'],
    ['—', '?'],
    ['', '?'],
  ])('%s gives %s', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });
});
