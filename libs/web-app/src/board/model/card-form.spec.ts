import { type CardDraft, changesOf, isChanged, urlsOf } from './card-form';

const before: CardDraft = {
  title: 'Title',
  body: 'Text',
  type: 'feature',
  columnId: 'next',
  parent: { cardId: 'p', number: 1, title: 'Parent' },
  links: [{ cardId: 'l', number: 2, title: 'Linked', kind: 'blocks' }],
  pullRequests: 'https://example.com/1',
  documents: [{ documentId: 'd', title: 'Plan' }],
};

describe('what a form sends', () => {
  it('is nothing when nothing changed', () => {
    expect(changesOf(before, { ...before, pullRequests: ' https://example.com/1 \n\n' })).toEqual({});
    expect(isChanged(before, { ...before })).toBe(false);
  });

  it('is only what changed, with the column that the person saw', () => {
    expect(changesOf(before, { ...before, body: 'Other', columnId: 'done' })).toEqual({
      body: 'Other',
      columnId: 'done',
      fromColumnId: 'next',
    });
  });

  it('is whole sets of links, documents and addresses', () => {
    expect(
      changesOf(before, {
        ...before,
        parent: null,
        links: [],
        documents: [...before.documents, { documentId: 'e', title: 'More' }],
        pullRequests: 'a\nb\na',
      }),
    ).toEqual({ parentCardId: null, relatedCards: [], documentIds: ['d', 'e'], pullRequestUrls: ['a', 'b'] });
  });

  it('reads one address a line, each once', () => {
    expect(urlsOf(' a \n\nb\na')).toEqual(['a', 'b']);
  });
});
