import { nameOf, type Picked, planOf } from './file-bundle';

const picked = (...paths: string[]): Picked[] => paths.map((path) => ({ path, file: {} as File }));

describe('files that somebody drops into the library', () => {
  test.each([
    [['site.zip'], 'zip'],
    [['photo.WEBP'], 'asset'],
    [['index.html', 'logo.png'], 'files'],
    [['notes.md'], 'files'],
    [['app/package.json', 'app/src/App.tsx'], 'files'],
    [['a.zip', 'index.html'], 'nothing'],
    [['data.csv'], 'nothing'],
    [[], 'nothing'],
  ])('%j is taken as %s', (paths, kind) => {
    expect(planOf(picked(...paths)).kind).toBe(kind);
  });

  test('a page with Markdown beside it is an app, Markdown alone a document', () => {
    expect(planOf(picked('index.html', 'README.md'))).toMatchObject({ artifactType: 'app' });
    expect(planOf(picked('README.md', 'logo.png'))).toMatchObject({ artifactType: 'markdown' });
  });

  test.each([
    [['seat-map/index.html', 'seat-map/app.js'], 'Seat map'],
    [['booking_flow.zip'], 'Booking flow'],
    [['a.html', 'b.html'], ''],
  ])('%j is called “%s”', (paths, name) => {
    expect(nameOf(picked(...paths))).toBe(name);
  });
});
