import { DrawnPictures } from './drawn-pictures.js';

describe('pictures that were drawn', () => {
  it('are drawn once, and the oldest give way when there is no room', async () => {
    const pictures = new DrawnPictures();
    const drawn: string[] = [];
    const get = (key: string, length = 2_900_000) =>
      pictures.get(key, async () => {
        drawn.push(key);
        return key.padEnd(length);
      });
    for (const key of ['a', 'b', 'c', 'd', 'a']) await get(key);
    expect(drawn).toEqual(['a', 'b', 'c', 'd']);
    await get('e');
    // b is the one that nobody asked for the longest.
    for (const key of ['a', 'c', 'd', 'e', 'b']) await get(key);
    expect(drawn).toEqual(['a', 'b', 'c', 'd', 'e', 'b']);
  });

  it('are not kept when one alone would take the room of many', async () => {
    const pictures = new DrawnPictures();
    let drawn = 0;
    const large = () =>
      pictures.get('large', async () => {
        drawn += 1;
        return 'x'.repeat(4_000_000);
      });
    await large();
    await large();
    expect(drawn).toBe(2);
  });
});
