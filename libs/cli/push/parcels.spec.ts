import { parcelsOf } from './parcels.js';
import { madeFile } from './push-file.js';

const MEBIBYTE = 1024 * 1024;
const batch = { files: 500, bytes: 8 * MEBIBYTE, fileBytes: MEBIBYTE };
const wanted = (sizes: readonly number[]) =>
  sizes.map((bytes, at) => ({
    row: { path: `${at}`, sha256: `${at}`.padStart(64, '0'), bytes },
    file: madeFile(`${at}`, ''),
  }));
const shapeOf = (sizes: readonly number[], offered: Parameters<typeof parcelsOf>[1] = batch) =>
  parcelsOf(wanted(sizes), offered).map(({ files, together }) => [
    together ? 'together' : 'alone',
    ...files.map(({ row }) => row.path),
  ]);

describe('the requests of a push', () => {
  it('take small files together and large ones alone, large ones first', () => {
    expect(shapeOf([10, 3 * MEBIBYTE, 0, MEBIBYTE, MEBIBYTE + 1])).toEqual([
      ['alone', '1'],
      ['alone', '4'],
      ['together', '0', '2'],
      ['together', '3'],
    ]);
  });

  it('grow to two megabytes, so that they do not end together and a slow line brings each to its end', () => {
    const half = MEBIBYTE / 2;
    const counts = shapeOf(Array.from({ length: 20 }, () => half)).map(({ length }) => length - 1);
    expect(counts).toEqual([1, 2, 3, 4, 4, 4, 2]);
  });

  it('keep the limits that the server names, also smaller ones than usual', () => {
    const small = { files: 2, bytes: 100, fileBytes: 60 };
    expect(shapeOf([50, 50, 1, 61, 60, 60], small)).toEqual([
      ['alone', '3'],
      ['together', '0'],
      ['together', '1'],
      ['together', '2', '4'],
      ['together', '5'],
    ]);
    expect(shapeOf([1, 1, 1], small)).toEqual([
      ['together', '0', '1'],
      ['together', '2'],
    ]);
  });

  it('take each file alone on a server that says nothing of together, and are none for nothing', () => {
    expect(parcelsOf(wanted([1, 2]), undefined).map(({ together }) => together)).toEqual([false, false]);
    expect(shapeOf([])).toEqual([]);
  });
});
