import { labelProblem, reordered, slugPreview } from './slug';

describe('the short name of a column', () => {
  it('is the label in plain letters and dashes', () => {
    expect(slugPreview('  In Review! ')).toBe('in-review');
    expect(slugPreview('Überprüfung & Straße')).toBe('uberprufung-strasse');
    expect(slugPreview('***')).toBe('');
  });

  it('is told to be refused before it is sent', () => {
    const others = [{ slug: 'next', label: 'Next' }];
    expect(labelProblem('Next!', others)).toContain('“Next”');
    expect(labelProblem('backlog', others)).toContain('Backlog');
    expect(labelProblem('!!', others)).toContain('letter');
    expect(labelProblem('x'.repeat(101), others)).toContain('100');
    expect(labelProblem('次の', others)).toBeNull();
    expect(labelProblem('Doing', others)).toBeNull();
    expect(labelProblem('', others)).toBeNull();
  });

  it('keeps all entries when one changes its place', () => {
    expect(reordered(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
    expect(reordered(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
    expect(reordered(['a'], 4, 0)).toEqual(['a']);
  });
});
