import { refusalOf } from '#libs/kernel/testing/refusal-of.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { DocumentsRig } from '../../testing/documents-rig.js';
import { SaveDecisionAnswer, type SaveDecisionAnswerInput } from './save-decision-answer.js';

function block(id: string, ...options: string[]): string {
  return `<!-- decision: ${id} -->\n\nWhich one?\n\n${options.map((o) => `- ${o}`).join('\n')}\n\n<!-- /decision -->\n`;
}

describe('decisions', () => {
  let postgres: TestDatabase;
  let rig: DocumentsRig;

  beforeAll(async () => {
    postgres = await TestDatabase.start();
    rig = await DocumentsRig.start(postgres.database);
  });
  afterAll(async () => {
    await rig.stop();
    await postgres.stop();
  });
  beforeEach(() => rig.forget());

  const save = (documentId: string, input: Partial<SaveDecisionAnswerInput>) =>
    rig.get(SaveDecisionAnswer).execute(rig.owner, {
      projectId: rig.projectId,
      documentId,
      decisionId: 'format',
      version: 1,
      ...input,
    });
  const decision = async (documentId: string) => (await rig.review(documentId)).decisions[0]!;

  test('documents 15.34: a click is in the review at once, with the recommendation beside it', async () => {
    const { documentId } = await rig.create({
      markdown: block('format', 'One JSON file (recommended: moderate)', 'One CSV file'),
    });
    expect(await decision(documentId)).toEqual({
      id: 'format',
      type: 'single',
      question: 'Which one?',
      options: ['One JSON file', 'One CSV file'],
      recommended: { index: 0, confidence: 'moderate' },
      selected: null,
      selected_index: null,
      answered_at: null,
      answered_at_version: null,
      selections: [],
      note: null,
      updated_at: null,
    });
    rig.forget();
    await save(documentId, { indexes: [1], labels: ['One CSV file'] });
    const at = rig.clock.now().toISOString();
    expect(await decision(documentId)).toMatchObject({
      selected: 'One CSV file',
      selected_index: 1,
      answered_at: at,
      answered_at_version: 1,
      selections: [{ option: 'One CSV file', index: 1, answered_at: at, answered_at_version: 1 }],
      updated_at: at,
    });
    expect(rig.outbox.events).toMatchObject([
      { type: 'DecisionAnswered', payload: { decisionId: 'format' } },
    ]);
    expect(rig.live.sent.map((update) => update.type)).toEqual(['decision']);
    expect((await rig.page(documentId)).decisions[0]).toMatchObject({ updatedBy: 'Ada Owner' });
  });

  test('documents 15.35: checkboxes give a list of picks and no single one', async () => {
    const { documentId } = await rig.create({ markdown: block('format', '[ ] PDF', '[ ] HTML', '[x] Text') });
    expect(await decision(documentId)).toMatchObject({ type: 'multiple', selections: [] });
    await save(documentId, { indexes: [2, 0], labels: ['Text', 'PDF'] });
    expect(await decision(documentId)).toMatchObject({
      selected: null,
      selected_index: null,
      answered_at: null,
      selections: [
        { option: 'PDF', index: 0 },
        { option: 'Text', index: 2 },
      ],
    });
  });

  test('documents 15.36: a note alone is an answer, and clearing the picks keeps it', async () => {
    const { documentId } = await rig.create({ markdown: block('format', 'A', 'B') });
    await save(documentId, { note: 'Neither, really.' });
    expect(await decision(documentId)).toMatchObject({
      selected: null,
      note: 'Neither, really.',
      updated_at: expect.any(String),
    });
    await save(documentId, { indexes: [0], labels: ['A'] });
    await save(documentId, { indexes: [], labels: [] });
    expect(await decision(documentId)).toMatchObject({
      selected: null,
      selections: [],
      note: 'Neither, really.',
    });
    await save(documentId, { note: ' ' });
    expect(await decision(documentId)).toMatchObject({ note: null, updated_at: null });
  });

  test('documents 15.37: the index follows the label; a reworded option keeps the old label without an index', async () => {
    const { documentId } = await rig.create({ markdown: block('format', 'Alpha', 'Beta') });
    await save(documentId, { indexes: [0], labels: ['Alpha'] });
    await rig.revise(documentId, { markdown: block('format', 'Beta', 'Alpha') });
    expect(await decision(documentId)).toMatchObject({ selected: 'Alpha', selected_index: 1 });
    await rig.revise(documentId, { markdown: block('format', 'Beta', 'Alpha, but better') });
    expect(await decision(documentId)).toMatchObject({
      selected: 'Alpha',
      selected_index: null,
      answered_at_version: 1,
    });
  });

  test('documents 15.18: a revision that drops an answered id warns, and the answer returns with the id', async () => {
    const { documentId } = await rig.create({ markdown: block('format', 'Alpha', 'Beta') });
    await save(documentId, { indexes: [1], labels: ['Beta'] });
    const dropped = await rig.revise(documentId, { markdown: 'No question any more.' });
    expect(dropped.warnings).toMatchObject([{ code: 'decision_removed', decisionId: 'format' }]);
    expect((await rig.review(documentId)).decisions).toEqual([]);
    const silent = await rig.revise(documentId, { markdown: 'Still none.' });
    expect(silent.warnings).toEqual([]);
    await rig.revise(documentId, { markdown: block('format', 'Alpha', 'Beta') });
    expect(await decision(documentId)).toMatchObject({ selected: 'Beta', selected_index: 1 });
  });

  test('documents 15.38: a malformed block is a warning of the tool, and the next block works', async () => {
    const created = await rig.create({
      markdown: `${block('bad', '[ ] one', '( ) two')}\n${block('format', 'Alpha', 'Beta')}`,
    });
    expect(created.warnings).toMatchObject([{ code: 'decision_malformed', decisionId: 'bad' }]);
    expect((await rig.review(created.documentId)).decisions.map((d) => d.id)).toEqual(['format']);
  });

  test('a save from an older version is mapped by its label, and refused when option or block are gone', async () => {
    const { documentId } = await rig.create({ markdown: block('format', 'Alpha', 'Beta') });
    await rig.revise(documentId, { markdown: block('format', 'Beta', 'Alpha') });
    await save(documentId, { version: 1, indexes: [0], labels: ['Alpha'] });
    expect(await decision(documentId)).toMatchObject({
      selected: 'Alpha',
      selected_index: 1,
      answered_at_version: 2,
    });
    await expect(save(documentId, { indexes: [0], labels: ['Gamma'] })).rejects.toMatchObject({
      code: 'unknown_option',
    });
    await expect(save(documentId, { decisionId: 'other', note: 'x' })).rejects.toMatchObject({
      kind: 'not-found',
      code: 'unknown_decision',
    });
    await expect(
      save(documentId, { version: 2, indexes: [0, 1], labels: ['Beta', 'Alpha'] }),
    ).rejects.toMatchObject({
      code: 'one_option',
    });
    expect(await refusalOf(save(documentId, { indexes: [0], labels: [], note: 'x'.repeat(5_001) }))).toBe(
      'note: A note must be at most 5000 characters.\nlabels: Name one label for each index.',
    );
  });

  test('the audit log names a decision once a minute at most, and not at all when nothing changed', async () => {
    const { documentId } = await rig.create({ markdown: block('format', 'A', 'B') });
    rig.forget();
    const records = () => rig.audit.entries.length;
    await save(documentId, { indexes: [0], labels: ['A'] });
    await save(documentId, { indexes: [0], labels: ['A'] });
    expect(rig.outbox.events).toHaveLength(1);
    rig.clock.advance(59_000);
    await save(documentId, { indexes: [1], labels: ['B'] });
    expect(records()).toBe(1);
    rig.clock.advance(1_000);
    await save(documentId, { indexes: [0], labels: ['A'] });
    expect(records()).toBe(2);
  });

  test('two tabs that answer at once leave one answer', async () => {
    const { documentId } = await rig.create({ markdown: block('format', 'A', 'B') });
    await Promise.all([
      save(documentId, { indexes: [0], labels: ['A'] }),
      save(documentId, { indexes: [1], labels: ['B'] }),
    ]);
    expect((await decision(documentId)).selections).toHaveLength(1);
  });
});
