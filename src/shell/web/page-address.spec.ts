import { readPageAddress } from './page-address.js';

const ID = '0195c0de-0000-7000-8000-00000000000a';

describe('what must hold before a page is sent', () => {
  test('platform 2.2: the search page is about the project that its address names', () => {
    expect(readPageAddress('/search', { q: 'x' })).toEqual({ projectId: null, flag: null, admin: false });
    expect(readPageAddress('/search', { project: '' }).projectId).toBeNull();
    expect(readPageAddress('/search', { project: ID.toUpperCase() }).projectId).toBe(ID);
    // Answered like a project that there is not.
    expect(readPageAddress('/search', { project: '<script>' }).projectId).toBe('<script>');
    expect(readPageAddress('/projects', { project: ID }).projectId).toBeNull();
  });

  test('platform 2.2: sections that are switched off name their flag', () => {
    expect(readPageAddress(`/projects/${ID}/board/backlog`)).toEqual({
      projectId: ID,
      flag: 'board.enabled',
      admin: false,
    });
    for (const name of ['constructor', 'to-string', '__proto__']) {
      expect(readPageAddress(`/projects/${ID}/${name}`).flag).toBeNull();
    }
  });
});
