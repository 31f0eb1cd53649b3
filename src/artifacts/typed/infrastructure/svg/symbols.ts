import {
  symbol,
  symbolCircle,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolWye,
} from 'd3-shape';

const SHAPES = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolStar, symbolWye];

/** The mark of a series round the origin, `area` square pixels large: shapes differ as well as colours. */
export function symbolPath(series: number, area: number): string {
  const draw = symbol(SHAPES[series % SHAPES.length], area).digits(1);
  return draw() ?? '';
}
