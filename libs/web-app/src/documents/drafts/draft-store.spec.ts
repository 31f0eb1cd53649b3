import { DraftStore, type TextStorage } from './draft-store';

class Shelf implements TextStorage {
  readonly kept = new Map<string, string>();
  full = false;
  getItem = (key: string) => this.kept.get(key) ?? null;
  setItem = (key: string, value: string) => {
    if (this.full) throw new Error('QuotaExceededError');
    this.kept.set(key, value);
  };
  removeItem = (key: string) => void this.kept.delete(key);
}

describe('DraftStore', () => {
  it('gives back what was kept, also to a store that opens later, as after a reload', () => {
    const shelf = new Shelf();
    new DraftStore('doc-1', shelf).write('reply.x', { body: 'Not yet.' });
    expect(new DraftStore('doc-1', shelf).read('reply.x')).toEqual({ body: 'Not yet.' });
    expect(new DraftStore('doc-2', shelf).read('reply.x')).toBeNull();
  });

  it('forgets a dropped draft and tells who watches it', () => {
    const store = new DraftStore('doc-1', new Shelf());
    const heard: (string | null)[] = [];
    const stop = store.subscribe('verdict', () => heard.push(store.read('verdict')));
    store.write('verdict', 'Good.');
    store.write('other', 'x');
    store.drop('verdict');
    stop();
    store.write('verdict', 'Later.');
    expect(heard).toEqual(['Good.', null]);
  });

  it('keeps the text in the page when storage is full or closed', () => {
    const shelf = new Shelf();
    shelf.full = true;
    const store = new DraftStore('doc-1', shelf);
    store.write('new', 'Long text');
    expect(store.read('new')).toBe('Long text');
    const closed = new DraftStore('doc-1', null);
    closed.write('new', 'Text');
    expect(closed.read('new')).toBe('Text');
  });

  it('takes a damaged draft for none', () => {
    const shelf = new Shelf();
    shelf.kept.set('loupe.draft.doc-1.new', '{"half');
    expect(new DraftStore('doc-1', shelf).read('new')).toBeNull();
  });
});
