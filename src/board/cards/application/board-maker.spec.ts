import { LinkSlot } from '#src/board/workflow/application/commands/link-slot.js';
import { UpdateAutomationSettings } from '#src/board/workflow/application/commands/update-automation-settings.js';
import { GetAutomation } from '#src/board/workflow/application/queries/get-automation.js';
import { GetWorkflow } from '#src/board/workflow/application/queries/get-workflow.js';
import { GetWorkflowPage } from '#src/board/workflow/application/queries/get-workflow-page.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { BoardRig } from '../testing/board-rig.js';
import { ListColumns } from './queries/list-columns.js';

let db: TestDatabase;
let rig: BoardRig;

beforeAll(async () => {
  db = await TestDatabase.start();
  rig = await BoardRig.start(db.database);
});
afterAll(async () => {
  await rig.stop();
  await db.stop();
});

/** A project as it was made before there were boards. */
function olderProject(): string {
  const projectId = rig.ids.next();
  rig.access.add(projectId, rig.owner.personId, { [rig.viewer.personId]: 'viewer' });
  return projectId;
}

async function boardsOf(projectId: string): Promise<number> {
  const [row] = await rig.database.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM board.board WHERE project_id = $1',
    [projectId],
  );
  return row!.count;
}

describe('a project that is older than boards', () => {
  it('follows the default workflow for an agent that asks before anybody opened the board', async () => {
    const id = olderProject();
    const workflow = await rig.get(GetWorkflow).execute(rig.connection(rig.viewer.personId, id), id);
    expect(workflow).toMatchObject({ template: { key: 'lifecycle' }, enabled: true });
    const { columns } = await rig.get(ListColumns).forPage(rig.owner, id);
    expect(workflow.columns.map(({ slug }) => slug)).toEqual(columns.map(({ slug }) => slug));
    expect(await boardsOf(id)).toBe(1);
  });

  it('gets its board from either settings page', async () => {
    const [first, second] = [olderProject(), olderProject()];
    expect((await rig.get(GetWorkflowPage).execute(rig.owner, first)).template.key).toBe('lifecycle');
    expect((await rig.get(GetAutomation).execute(rig.owner, second)).enabled).toBe(true);
    expect([await boardsOf(first), await boardsOf(second)]).toEqual([1, 1]);
  });

  it('gets its board from a change, which is then made', async () => {
    const [first, second] = [olderProject(), olderProject()];
    const settings = await rig
      .get(UpdateAutomationSettings)
      .execute(rig.owner, { projectId: first, enabled: false });
    expect(settings.enabled).toBe(false);
    expect((await rig.get(GetAutomation).execute(rig.owner, first)).enabled).toBe(false);
    const input = { projectId: second, slot: 'next', columnId: rig.ids.next() };
    await expect(rig.get(LinkSlot).execute(rig.owner, input)).rejects.toThrow(
      'Choose a column of this board.',
    );
  });

  it('gets one board when many ask at once', async () => {
    const id = olderProject();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        at % 2 === 0
          ? rig.get(GetWorkflow).execute(rig.owner, id)
          : rig.get(GetAutomation).execute(rig.owner, id),
      ),
    );
    expect(answers.map(({ enabled }) => enabled)).toEqual(Array(6).fill(true));
    expect(await boardsOf(id)).toBe(1);
    const bound = rig.audit.entries.filter(
      ({ operation, projectId }) => operation === 'workflow.bound' && projectId === id,
    );
    expect(bound).toHaveLength(1);
  });

  it('gets none for somebody who may not read it', async () => {
    const id = olderProject();
    for (const query of [GetWorkflow, GetWorkflowPage, GetAutomation])
      await expect(
        rig.get<{ execute: GetWorkflow['execute'] }>(query as never).execute(rig.stranger, id),
      ).rejects.toThrow('Project not found or not accessible.');
    await expect(
      rig.get(UpdateAutomationSettings).execute(rig.viewer, { projectId: id, enabled: false }),
    ).rejects.toMatchObject({ kind: 'forbidden' });
    expect(await boardsOf(id)).toBe(0);
  });
});

describe('a project that wanted no workflow', () => {
  it('still has none when it is asked for', async () => {
    await expect(rig.get(GetWorkflow).execute(rig.owner, rig.projectId)).rejects.toMatchObject({
      code: 'no_workflow',
    });
    expect(await boardsOf(rig.projectId)).toBe(1);
  });
});
