import { headingsBelow } from './headings';

describe('headings of a text inside a page', () => {
  it('start below the page and keep their order', () => {
    expect(headingsBelow('<h1 id="a">A</h1><p>x</p><h2>B</h2><h1>C</h1>', 3)).toBe(
      '<h3 id="a">A</h3><p>x</p><h4>B</h4><h3>C</h3>',
    );
  });

  it('skip no level, whatever was written', () => {
    expect(headingsBelow('<h3>A</h3><h6>B</h6><h4>C</h4><h2>D</h2>', 2)).toBe(
      '<h2>A</h2><h3>B</h3><h3>C</h3><h2>D</h2>',
    );
  });

  it('end at level six, and leave all else alone', () => {
    expect(headingsBelow('<h1>A</h1><h2>B</h2><hr><header>C</header>', 6)).toBe(
      '<h6>A</h6><h6>B</h6><hr><header>C</header>',
    );
  });
});
