import type { PersonActor } from '#libs/kernel/actor.js';
import { FakeProjectAccess } from '#libs/kernel/testing/fake-project-access.js';
import { FixedFlags } from '../testing/fixed-flags.js';
import { SearchProviders, type SearchQuery, type SearchResult } from './ports/search-providers.js';
import { SearchAll } from './queries/search-all.js';

const MINE = '0195c0de-0000-7000-8000-000000000001';
const SHARED = '0195c0de-0000-7000-8000-000000000002';
const FOREIGN = '0195c0de-0000-7000-8000-000000000003';

function result(title: string, more: Partial<SearchResult> = {}): SearchResult {
  return {
    kind: 'document',
    projectId: MINE,
    title,
    titleMarked: title,
    url: `/${title}`,
    snippet: null,
    number: null,
    status: null,
    finished: false,
    archived: false,
    named: null,
    ...more,
  };
}

describe('the search of everything', () => {
  const ada: PersonActor = { kind: 'person', personId: 'ada', sessionId: 's', isAdmin: false };
  let access: FakeProjectAccess;
  let flags: FixedFlags;
  let providers: SearchProviders;
  let asked: { projects: readonly string[]; query: SearchQuery; page: number }[];
  let documents: SearchResult[];
  let cards: SearchResult[];
  let more: boolean;

  beforeEach(() => {
    access = new FakeProjectAccess();
    access.add(MINE, 'ada', {}, 'Ferry');
    access.add(SHARED, 'bo', { ada: 'viewer' }, 'Café harbour');
    access.add(FOREIGN, 'bo', {}, 'Secret');
    flags = new FixedFlags();
    providers = new SearchProviders();
    asked = [];
    documents = [];
    cards = [];
    more = false;
    providers.register({
      name: 'documents',
      search: async (projects, query, page) => {
        asked.push({ projects, query, page });
        return { results: documents, hasMore: false };
      },
    });
    providers.register({ name: 'cards', search: async () => ({ results: cards, hasMore: more }) });
    providers.registerPages([
      { of: 'project', title: 'Documents', path: '/documents' },
      { of: 'project', title: 'Board', path: '/board', flags: ['board.enabled'], also: 'cards' },
      { of: 'project', title: 'Project settings', path: '/settings', level: 'administer' },
      { of: 'person', title: 'Account', path: '/account' },
      { of: 'instance', title: 'Status', path: '/admin/status' },
    ]);
  });

  const search = (query: string, projectId: string | null = null, page: number | null = null, actor = ada) =>
    new SearchAll(access, flags, providers).execute(actor, { query, projectId, page });
  const titles = (answer: { pages: readonly { title: string }[] }) => answer.pages.map(({ title }) => title);

  test('platform 10: all projects are those that the person may read, and each result names its project', async () => {
    documents = [result('One'), result('Two', { projectId: SHARED })];
    const { results } = await search('words');
    expect(asked).toEqual([
      { projects: [MINE, SHARED], query: expect.objectContaining({ text: 'words' }), page: 1 },
    ]);
    expect(results.map(({ title, projectName }) => [title, projectName])).toEqual([
      ['One', 'Ferry'],
      ['Two', 'Café harbour'],
    ]);
    expect(results[0]).not.toHaveProperty('named');
  });

  test('platform 19.14: what a provider answers of another project is left out', async () => {
    cards = [result('Foreign', { projectId: FOREIGN, kind: 'card' })];
    expect((await search('words')).results).toEqual([]);
  });

  test('platform 10: a project without read is like an unknown one, also for who was removed a moment ago', async () => {
    await expect(search('words', FOREIGN)).rejects.toMatchObject({ kind: 'not-found' });
    await search('words', SHARED);
    access.setRole(SHARED, 'ada', null);
    await expect(search('words', SHARED)).rejects.toMatchObject({ kind: 'not-found' });
    await search('words');
    expect(asked.map(({ projects }) => projects)).toEqual([[SHARED], [MINE]]);
  });

  test('platform 19.14: what was named by its number stands first, then what was by its title, then the others', async () => {
    documents = [result('12', { named: 'title' }), result('A document')];
    cards = [
      result('Numbered', { kind: 'card', number: 12, named: 'number' }),
      result('A card called 12', { kind: 'card', named: 'title' }),
      result('Other', { kind: 'card' }),
    ];
    expect((await search('12', MINE)).results.map(({ title }) => title)).toEqual([
      'Numbered',
      '12',
      'A card called 12',
      'A document',
      'Other',
    ]);
  });

  test('platform 10: without words the pages of the project, and nothing is searched', async () => {
    expect(await search('  ', MINE)).toEqual({
      pages: [
        { title: 'Documents', url: `/projects/${MINE}/documents` },
        { title: 'Board', url: `/projects/${MINE}/board` },
        { title: 'Project settings', url: `/projects/${MINE}/settings` },
      ],
      results: [],
      page: 1,
      hasMore: false,
      query: '',
      cut: false,
    });
    expect(titles(await search('', SHARED))).toEqual(['Documents', 'Board']);
    expect(titles(await search(''))).toEqual(['Account']);
    expect(asked).toEqual([]);
  });

  test('platform 10: pages by name, by role and flag, those of the instance for its admins alone', async () => {
    expect(titles(await search('CARD', MINE))).toEqual(['Board']);
    expect(titles(await search('settings', SHARED))).toEqual([]);
    expect(titles(await search('status', MINE))).toEqual([]);
    expect(titles(await search('status', MINE, null, { ...ada, isAdmin: true }))).toEqual(['Status']);
    flags.set('board.enabled', 'false');
    expect(titles(await search('board', MINE))).toEqual([]);
    expect(titles(await search('', MINE))).toEqual(['Documents', 'Project settings']);
    // Signs alone name nothing.
    expect(titles(await search('!', MINE))).toEqual([]);
  });

  test('outside of a project projects are found by name too, in any case and without marks', async () => {
    expect((await search('cafe')).pages).toEqual([{ title: 'Café harbour', url: `/projects/${SHARED}` }]);
    expect(titles(await search('secret'))).toEqual([]);
  });

  test('platform 10: pages stand on the first page of results alone, and more is there while anybody has more', async () => {
    more = true;
    expect(await search('board', MINE, 2)).toMatchObject({ pages: [], page: 2, hasMore: true });
    expect(asked[0]!.page).toBe(2);
    expect(await search('board', MINE, -3)).toMatchObject({ page: 1 });
    asked = [];
    expect(await search('board', MINE, 1_000_000)).toMatchObject({ results: [], hasMore: false });
    expect(asked).toEqual([]);
  });

  test('platform 10: a longer query is cut, and the answer says what was looked for', async () => {
    const answer = await search('x'.repeat(300), MINE);
    expect([answer.query.length, answer.cut]).toEqual([200, true]);
  });

  test('a provider that fails makes the search fail, so that nothing is missing unseen', async () => {
    providers.register({ name: 'broken', search: () => Promise.reject(new Error('away')) });
    await expect(search('words')).rejects.toThrow('away');
  });

  test('somebody without projects finds pages and nothing else', async () => {
    const answer = await search('account', null, null, { ...ada, personId: 'new' });
    expect([titles(answer), answer.results]).toEqual([['Account'], []]);
    expect(asked).toEqual([]);
  });
});
