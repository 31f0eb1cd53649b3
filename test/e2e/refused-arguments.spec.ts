import { ClientSite } from '../support/agent.js';
import { BoardAgent } from '../support/board-agent.js';
import { LoupeServer } from '../support/loupe-server.js';
import { adminEnv, liftRateLimit, newProject, signedIn, sql } from '../support/settled-server.js';

const UNKNOWN = 'bogus: is not an argument of this tool.';

/** Refused calls of every tool that writes, at the built server: they say everything at once, and do nothing. */
describe('calls with wrong arguments', () => {
  let site: ClientSite;
  let server: LoupeServer;
  let agent: BoardAgent;
  /** Arguments with which each tool that writes would change something. */
  let writes: Record<string, object>;

  beforeAll(async () => {
    site = await ClientSite.start();
    server = await LoupeServer.start({ env: { ...site.env, ...adminEnv } });
    const ada = await signedIn(server.origin);
    await liftRateLimit(ada);
    for (const flag of ['artifacts.enabled', 'artifacts.publish.enabled', 'review.highlights.enabled']) {
      expect((await ada.api('PUT', `/admin/flags/${flag}`, { value: true })).status).toBe(200);
    }
    agent = await BoardAgent.signedIn(ada, await newProject(ada, 'Ferry'), server.origin);
    writes = await seeded();
  }, 120_000);

  afterAll(async () => {
    await server?.stop();
    await site?.stop();
  });

  async function seeded(): Promise<Record<string, object>> {
    const { documentId } = await agent.call('document_create', {
      title: 'Plan',
      markdown: 'One passage.',
      tags: ['plan'],
      series: 'Plans',
      seriesOrdinal: 1,
    });
    const draft = await agent.call('document_create', { title: 'Draft', markdown: 'Two.', draft: true });
    await agent.call('document_set_references', { documentId, references: [draft.documentId] });
    const archived = await agent.call('document_create', { title: 'Old', markdown: 'Three.' });
    await agent.call('document_archive', { documentId: archived.documentId, reason: 'Old.' });
    const card = await agent.create('Card');
    await agent.create('Held');
    await agent.call('card_hold', { number: 2 });
    await agent.call('column_create', { label: 'Later' });
    const { artifactId, revision } = await agent.call('artifact_create', {
      type: 'import',
      files: { 'index.html': '<h1>Hi</h1>' },
    });
    const away = await agent.call('artifact_duplicate', { sessionId: artifactId });
    await agent.call('artifact_archive', { artifactId: away.artifactId });
    const live = await agent.call('artifact_duplicate', { sessionId: artifactId });
    await agent.call('artifact_publish', { sessionId: live.artifactId });
    return {
      project_update: { description: 'Another.' },
      project_origins_set: { origins: ['https://ferry.example'] },
      document_create: { title: 'More', markdown: 'More.' },
      document_revise: { documentId, markdown: 'Else.', description: 'All of it.' },
      document_publish: { documentId: draft.documentId },
      document_rename: { documentId, title: 'Other' },
      document_archive: { documentId, reason: 'Done.' },
      document_unarchive: { documentId: archived.documentId },
      document_set_tags: { documentId, tags: [] },
      document_set_references: { documentId, references: [] },
      document_set_series: { documentId },
      series_rename: { series: 'Plans', newName: 'Others' },
      document_highlight: { documentId, quotes: ['passage'] },
      card_create: { title: 'More', body: '' },
      card_update: { number: 1, title: 'Other', status: 'done' },
      card_run_open: { number: 1, sessionId: 'session', name: 'skill' },
      card_hold: { number: 1 },
      card_release: { number: 2 },
      column_create: { label: 'Sooner' },
      column_update: { slug: 'later', terminal: true },
      column_reorder: {
        order: ['later', 'next', 'product-design', 'tech-design', 'implementation', 'in-review', 'done'],
      },
      column_delete: { slug: 'later' },
      automation_settings_update: { enabled: false },
      artifact_create: { type: 'empty', framework: 'html' },
      artifact_edit: {
        sessionId: artifactId,
        baseRevision: revision,
        commitMessage: 'More.',
        changes: [{ op: 'write', path: 'more.html', content: 'More.' }],
      },
      artifact_archive: { artifactId },
      artifact_unarchive: { artifactId: away.artifactId },
      artifact_update_metadata: { sessionId: artifactId, name: 'Other' },
      artifact_duplicate: { sessionId: artifactId },
      artifact_set_cards: { artifactId, cardIds: [card.cardId] },
      artifact_get_zip_upload_url: {},
      artifact_get_git_token: { sessionId: artifactId },
      artifact_publish: { sessionId: artifactId },
      artifact_unpublish: { sessionId: live.artifactId },
    };
  }

  /** Everything that a call could have changed, as counts and sums of rows. */
  async function state(): Promise<unknown> {
    const tables = await sql<{ name: string }>(
      server,
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname IN ('documents', 'board', 'artifacts', 'projects')
           OR (schemaname, tablename) IN (('platform', 'audit_events'), ('platform', 'outbox_events'))
        ORDER BY 1`,
    );
    const each = tables.map(
      ({ name }) => `SELECT '${name}' AS name, count(*), sum(hashtext(t::text)::bigint) FROM ${name} t`,
    );
    return sql(server, each.join(' UNION ALL '));
  }

  /** The jobs of the background may still be busy with what was seeded. */
  async function quietState(): Promise<unknown> {
    for (let before = await state(), tries = 0; ; tries += 1) {
      await new Promise((done) => setTimeout(done, 500));
      const now = await state();
      if (JSON.stringify(now) === JSON.stringify(before)) return now;
      if (tries === 40) throw new Error('The server did not come to rest.');
      before = now;
    }
  }

  it('change nothing, whatever the other arguments would have done', async () => {
    const before = await quietState();
    const said: Record<string, string> = {};
    for (const [name, args] of Object.entries(writes)) {
      said[name] = await agent.refusal(name, { ...args, bogus: 1 });
    }
    expect(await quietState()).toEqual(before);
    for (const [name, text] of Object.entries(said)) {
      expect([name, text]).toEqual([
        name,
        expect.stringMatching(/^bogus: is not an argument of this tool\..*$/),
      ]);
    }
  }, 120_000);

  it('never take a missing list for an empty one', async () => {
    const before = await quietState();
    const lists = {
      document_set_tags: 'tags',
      document_set_references: 'references',
      document_highlight: 'quotes',
      artifact_set_cards: 'cardIds',
      project_origins_set: 'origins',
    };
    for (const [name, argument] of Object.entries(lists)) {
      const { [argument]: _, ...others } = writes[name] as Record<string, unknown>;
      expect(await agent.refusal(name, others)).toMatch(new RegExp(`^${argument}: is required`));
      expect(await agent.refusal(name, { ...others, [argument]: null })).toMatch(
        new RegExp(`^${argument}: is required`),
      );
    }
    expect(await quietState()).toEqual(before);
  }, 60_000);

  it('documents 8, platform 2: name wrong types, unknown names, what is missing and what is out of bounds in one answer', async () => {
    const lines = (
      await agent.refusal('document_create', {
        markdown: ' ',
        draft: 'yes',
        tags: 'plan',
        language: 'klingon',
        seriesOrdinal: 3,
        bogus: 1,
      })
    ).split('\n');
    expect(lines.map((line) => line.split(':')[0])).toEqual([
      'draft',
      'tags',
      'bogus',
      'title',
      'markdown',
      'language',
      'series',
    ]);
    const ofBoard = (
      await agent.refusal('card_create', {
        title: ' ',
        body: 'x',
        status: 'doing',
        type: 'wish',
        relatedCards: ['x', {}],
        laneEnabled: 'yes',
        bogus: 1,
      })
    ).split('\n');
    expect(ofBoard.map((line) => line.split(':')[0])).toEqual([
      'relatedCards[0]',
      'relatedCards[1].cardId',
      'laneEnabled',
      'bogus',
      'title',
      'type',
      'status',
    ]);
    expect(ofBoard[0]).toBe('relatedCards[0]: must be an object.');
    const ofArtifacts = (await agent.refusal('artifact_edit', { bogus: 1 })).split('\n');
    expect(ofArtifacts.map((line) => line.split(':')[0])).toEqual([
      'bogus',
      'sessionId',
      'baseRevision',
      'commitMessage',
      'changes',
    ]);
  });

  it('name the right argument where another one decides what is needed', async () => {
    expect(await agent.refusal('artifact_create', { type: 'app', files: {} })).toBe(
      'type must be empty, import, p2c, l2c or f2c.',
    );
    expect(await agent.refusal('artifact_create')).toBe('type must be empty, import, p2c, l2c or f2c.');
    expect(
      await agent.refusal('artifact_set_cards', { ...writes.artifact_set_cards, cardIds: ['a', 'b'] }),
    ).toBe('cardIds[0] names no card of this project.\ncardIds[1] names no card of this project.');
    expect(await agent.refusal('card_run_close')).toMatch(/^sessionId: .*\ncardId: Pass cardId or number\.$/);
    expect(await agent.refusal('column_update')).toMatch(/^slug: must not be blank\. Use one of: backlog,/);
  });

  it('repeat only the beginning of a long value', async () => {
    for (const [name, args] of [
      ['card_get', { cardId: 'x'.repeat(100_000) }],
      ['document_get', { documentId: 'x\n'.repeat(50_000) }],
      ['card_list', { status: 'x'.repeat(100_000) }],
      ['series_rename', { series: 'x'.repeat(100_000), newName: 'Other' }],
    ] as const) {
      const said = await agent.refusal(name, args);
      expect(said.length).toBeLessThan(400);
      expect(said).not.toContain('\n');
    }
  });

  it('take a title that shows nothing for a blank one', async () => {
    expect(await agent.refusal('card_create', { title: '\u200b\u2060', body: '' })).toMatch(/^title: /);
    expect(await agent.refusal('document_create', { title: '\u200f', markdown: 'x' })).toBe(
      'title: A document title must not be blank.',
    );
  });

  it('lose no file for the sake of its name', async () => {
    const files: unknown = JSON.parse('{"index.html":"x","__proto__":"y","constructor/a.constructor":"z"}');
    const { artifactId, fileCount } = await agent.call('artifact_create', { type: 'import', files });
    expect(fileCount).toBe(3);
    const { version } = await agent.call('artifact_get', { artifactId });
    expect(version.files.map(({ path, contentType }: Record<string, string>) => [path, contentType])).toEqual(
      [
        ['__proto__', 'text/plain'],
        ['constructor/a.constructor', 'text/plain'],
        ['index.html', 'text/html'],
      ],
    );
    await agent.call('artifact_archive', { artifactId });
  });

  it('ignore filters that are blank', async () => {
    const blank = { status: '', type: '', reporter: '', parentCardId: '' };
    expect(await agent.call('card_list', blank)).toMatchObject({ total: 2 });
    const artifacts = await agent.call('artifact_list', { artifactType: '', workspaceId: '', search: '' });
    expect(artifacts.artifacts).toHaveLength(2);
  });

  it('take an artifact by either of its names, and list one', async () => {
    const { sessionId } = writes.artifact_publish as { sessionId: string };
    for (const name of ['artifact_get', 'artifact_status', 'artifact_explore']) {
      const more = name === 'artifact_explore' ? { action: 'tree' } : {};
      for (const argument of ['artifactId', 'sessionId']) {
        expect(await agent.call(name, { [argument]: sessionId, ...more })).toMatchObject({
          artifactId: sessionId,
        });
      }
    }
    expect(await agent.refusal('artifact_get', { bogus: 1 })).toBe(
      `${UNKNOWN} It takes: artifactId, version.\nartifactId: is required.`,
    );
  });
});
