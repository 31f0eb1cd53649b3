import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { renderMarkdown } from '#src/documents/infrastructure/markdown/render-markdown.js';
import { anchorFigures, sampleRevisions } from '../support/anchor-figures.js';

const folder = resolve(process.env.LOUPE_SAMPLES_DIR ?? '../shared/samples');
const isThere = existsSync(join(folder, 'revisions'));

if (!isThere)
  console.log('Left out: anchors on real revisions, as the samples folder is absent (LOUPE_SAMPLES_DIR).');

(isThere ? describe : describe.skip)('Anchors on real revisions', () => {
  it('reach at least 97 % of the passages and place at most 0.3 % wrongly', () => {
    const revisions = sampleRevisions(folder, (markdown) => renderMarkdown(markdown).plainText);
    const figures = anchorFigures(revisions, 400);
    expect(figures.expected).toBeGreaterThan(1_000);
    expect(
      { share: figures.found / figures.expected, misses: figures.misses.slice(0, 5) }.share,
    ).toBeGreaterThanOrEqual(0.97);
    expect(figures.wrong / figures.placed).toBeLessThanOrEqual(0.003);
  });
});
