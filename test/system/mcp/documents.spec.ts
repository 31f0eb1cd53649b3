import { request } from 'node:http';
import { AddComment } from '#src/documents/application/commands/add-comment.js';
import { SubmitVerdict } from '#src/documents/application/commands/submit-verdict.js';
import { type Json, LoupeApp } from '../../support/loupe-app.js';

let app: LoupeApp;
let token: string;
let projectId: string;
let owner: Awaited<ReturnType<LoupeApp['person']>>;

beforeAll(async () => {
  app = await LoupeApp.start();
  owner = await app.person();
  projectId = await app.project(owner);
  ({ token } = await app.connect(owner.personId, { projectId }));
});
afterAll(() => app.stop());

const result = async (name: string, args: object): Promise<Json> => {
  const { structuredContent, isError, content } = await app.call(token, name, args);
  if (isError) throw new Error(content[0]!.text);
  return structuredContent;
};

describe('the document tools', () => {
  it('carry a plan through review: submit, read what a person said, answer, revise, read the verdict', async () => {
    const created = await result('document_create', {
      title: 'Plan',
      markdown: '# Plan\n\nWe keep one queue.\n',
      draft: true,
    });
    const { documentId } = created;
    expect(created).toMatchObject({
      version: 1,
      status: 'draft',
      reviewUrl: `${app.url}/projects/${projectId}/documents/${documentId}/review`,
    });
    expect(await result('document_publish', { documentId })).toEqual({
      documentId,
      status: 'in-review',
      published: true,
    });
    const comment = await app.get(AddComment).execute(owner, {
      projectId,
      documentId,
      version: 1,
      anchor: { quote: 'one queue', start: 0 },
      body: 'Why not two?',
    });
    await app.get(SubmitVerdict).execute(owner, {
      projectId,
      documentId,
      version: 1,
      verdict: 'changes-requested',
      note: 'Say why.',
    });

    const review = await result('document_get_review', { documentId });
    expect(review).toMatchObject({
      verdict: 'changes-requested',
      note: 'Say why.',
      counts: { pending: 1 },
      comments: [
        { quote: 'one queue', body: 'Why not two?', author: 'human', status: 'pending', thread: [] },
      ],
    });
    const [{ id }] = review.comments;
    expect(id).toBe((comment as { id: string }).id);
    await result('document_reply_to_comment', { commentId: id, body: 'One is simpler to watch.' });
    expect(await result('document_mark_comment_addressed', { commentIds: [id, 'nonsense'] })).toEqual({
      addressed: [id],
      skipped: [{ id: 'nonsense', reason: 'invalid_id' }],
    });
    expect(
      await result('document_revise', {
        documentId,
        markdown: '# Plan\n\nWe keep one queue, as it is simpler to watch.\n',
        description: 'Says why one queue is enough.',
        baseVersion: 1,
      }),
    ).toMatchObject({ version: 2, status: 'in-review', carried: 1, orphaned: 0 });
    await app.get(SubmitVerdict).execute(owner, { projectId, documentId, version: 2, verdict: 'approved' });
    expect(await result('document_get_review', { documentId })).toMatchObject({
      status: 'approved',
      verdict: 'approved',
    });
    expect((await result('document_list', { status: 'approved' })).documents).toMatchObject([
      { documentId, currentVersion: 2 },
    ]);
  });

  it('name everything that is wrong at once: what is missing, too long, unknown, and a language that nobody speaks', async () => {
    const lines = (
      await app.refusal(token, 'document_create', {
        title: null,
        description: 'x'.repeat(2_001),
        language: 'klingon',
        tags: ['x'.repeat(51)],
        references: ['nonsense'],
        seriesOrdinal: 2,
      })
    ).split('\n');
    const named = lines.map((line) => line.split(/[[:]/)[0]);
    expect(new Set(named)).toEqual(
      new Set(['title', 'markdown', 'description', 'language', 'tags', 'references', 'series']),
    );
    expect(lines[0]).toBe('title: A document title must not be blank.');
    expect(await app.refusal(token, 'document_get', { documentId: 'nonsense' })).toBe(
      'documentId: "nonsense" is not a valid id.',
    );
    const unknown = 'documentId: Document not found or not accessible.';
    expect(
      await app.refusal(token, 'document_get', { documentId: '00000000-0000-7000-8000-000000000000' }),
    ).toBe(unknown);
    const stranger = await app.person();
    const other = await app.connect(stranger.personId, { projectId: await app.project(stranger) });
    const { documentId } = await result('document_create', { title: 'Mine', markdown: 'x' });
    expect(await app.refusal(other.token, 'document_get', { documentId })).toBe(unknown);
  });

  it('platform 19.41: clamp pages, and refuse one that is no whole number by name', async () => {
    expect(await result('document_list', { perPage: 1000 })).toMatchObject({ perPage: 100 });
    expect(await result('document_list', { page: 999 })).toMatchObject({
      page: 999,
      documents: [],
      hasMore: false,
    });
    expect(await app.refusal(token, 'document_list', { page: 1.5 })).toBe('page: must be a whole number.');
  });

  it('store a text of 600 kB of emoji that comes in small pieces unchanged', async () => {
    const markdown = '🦊'.repeat(150_000);
    const body = Buffer.from(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'document_create', arguments: { title: 'Foxes', markdown } },
      }),
    );
    const answer = await new Promise<string>((resolve, reject) => {
      const outgoing = request(
        `${app.url}/mcp`,
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          },
        },
        (incoming) => {
          let text = '';
          incoming.on('data', (chunk: Buffer) => {
            text += chunk.toString();
          });
          incoming.on('end', () => resolve(text));
        },
      );
      outgoing.on('error', reject);
      for (let at = 0; at < body.length; at += 1_021) outgoing.write(body.subarray(at, at + 1_021));
      outgoing.end();
    });
    const { documentId } = JSON.parse(answer).result.structuredContent;
    const pieces: string[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const slice: Json = await result('document_get', { documentId, offset, length: 60_000 });
      expect(slice.totalCharacters).toBe(150_000);
      pieces.push(slice.markdown);
      offset = slice.nextOffset;
    }
    expect(pieces.join('') === markdown).toBe(true);
  });
});
