import { matches, matchRanges } from './palette-match';
import { filterProjects } from './project-filter';

describe('matching in the palette', () => {
  test('every word must stand somewhere, in any order, case and with or without marks', () => {
    expect(matches('Café Été exports', 'EXPORT cafe')).toBe(true);
    expect(matches('Café Été exports', 'export tea')).toBe(false);
    expect(matches('anything', '  ')).toBe(true);
  });

  test('ranges point into the text as it is written', () => {
    const text = 'Café exports Café';
    const marked = matchRanges(text, 'cafe').map(([from, to]) => text.slice(from, to));
    expect(marked).toEqual(['Café', 'Café']);
  });

  test('letters of two units and decomposed marks keep the ranges right', () => {
    const text = '🚢 Cafe\u0301 line';
    const marked = matchRanges(text, 'line').map(([from, to]) => text.slice(from, to));
    expect(marked).toEqual(['line']);
  });

  test('words that overlap are marked once', () => {
    expect(matchRanges('exports', 'export ports')).toEqual([[0, 7]]);
  });
});

describe('filtering the projects of the picker', () => {
  const projects = [
    { id: '1', name: 'Ferry bookings' },
    { id: '2', name: 'Harbour map' },
    { id: '3', name: 'Café' },
  ];

  test('the current project always stays', () => {
    expect(filterProjects(projects, 'cafe', '1').map((each) => each.id)).toEqual(['1', '3']);
  });

  test('without words all are shown in their order', () => {
    expect(filterProjects(projects, ' ', '2')).toEqual(projects);
  });
});
