import pg from 'pg';
import type { PersonActor } from '#libs/kernel/actor.js';
import { TestDatabase } from '../../../test/support/test-database.js';
import { until } from '../../../test/support/until.js';
import { MembersRig, tokenOf } from '../testing/members-rig.js';

describe('the people of a project', () => {
  let test: TestDatabase;
  let rig: MembersRig;

  beforeAll(async () => {
    test = await TestDatabase.start();
    rig = new MembersRig(test.database);
  });

  afterAll(async () => {
    await test.stop();
  });

  const events = (type: string) => rig.outbox.events.filter((event) => event.type === type);

  it('platform 19.36: an invitation by mail is accepted by its address only', async () => {
    const { id, owner } = await rig.project();
    const kim = rig.somebody('Kim');
    const eve = rig.somebody('Eve');
    const issued = await rig.invite.execute(owner, {
      projectId: id,
      role: 'member',
      email: 'KIM@example.com ',
    });
    const mail = rig.mailer.sent.at(-1)!;
    expect(mail).toMatchObject({ to: 'KIM@example.com', action: { url: issued.url } });
    const token = tokenOf(issued.url);
    await expect(rig.accept.execute(eve, { token })).rejects.toMatchObject({ code: 'wrong_address' });
    expect(await rig.offer.execute({ token })).toMatchObject({
      projectName: 'Ferry',
      role: 'member',
      email: 'KIM@example.com',
    });
    expect(await rig.accept.execute(kim, { token })).toEqual({
      projectId: id,
      role: 'member',
      alreadyMember: false,
    });
    expect(await rig.access.can(kim, id, 'contribute')).toBe(true);
    expect((await rig.list.execute(kim)).map((project) => project.id)).toContain(id);
    expect(events('MemberAdded').at(-1)).toMatchObject({ projectId: id, personId: kim.personId });
    await expect(rig.accept.execute(eve, { token })).rejects.toMatchObject({ code: 'invitation_gone' });
  });

  it('platform 19.36: a link is taken by one person, also when two open it at once', async () => {
    const { id, owner } = await rig.project();
    const token = await rig.tokenFor(owner, id, 'viewer');
    const people = ['A', 'B', 'C', 'D'].map((name) => rig.somebody(`${name}-link`));
    const answers = await Promise.allSettled(people.map((person) => rig.accept.execute(person, { token })));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'invitation_gone' });
    }
    expect((await rig.members.execute(owner, id)).members).toHaveLength(1);
    await expect(rig.offer.execute({ token })).rejects.toMatchObject({ code: 'invitation_gone' });
  });

  it('says that somebody is a member already, and keeps the role and the link', async () => {
    const { id, owner } = await rig.project();
    const kim = rig.somebody('Kim-2');
    await rig.join(id, kim.personId, 'maintainer');
    const token = await rig.tokenFor(owner, id, 'viewer');
    expect(await rig.accept.execute(kim, { token })).toMatchObject({
      role: 'maintainer',
      alreadyMember: true,
    });
    expect(await rig.accept.execute(owner, { token })).toMatchObject({ role: 'owner', alreadyMember: true });
    expect((await rig.accept.execute(rig.somebody('Lee'), { token })).role).toBe('viewer');
    await expect(
      rig.invite.execute(owner, { projectId: id, role: 'member', email: 'kim-2@example.com' }),
    ).rejects.toMatchObject({ code: 'already_member' });
  });

  it('ends by time, by revoking, by declining, and with the right of who invited', async () => {
    const { id, owner } = await rig.project();
    const mara = rig.somebody('Mara');
    await rig.join(id, mara.personId, 'maintainer');
    const gone = async (token: string) => {
      await expect(rig.offer.execute({ token })).rejects.toMatchObject({ code: 'invitation_gone' });
      await expect(rig.accept.execute(rig.somebody('Late'), { token })).rejects.toMatchObject({
        code: 'invitation_gone',
      });
    };
    const declined = await rig.tokenFor(owner, id, 'member');
    await rig.decline.execute(rig.somebody('No'), { token: declined });
    await gone(declined);

    const revoked = await rig.invite.execute(owner, { projectId: id, role: 'member' });
    await rig.revoke.execute(owner, { projectId: id, invitationId: revoked.id });
    await rig.revoke.execute(owner, { projectId: id, invitationId: revoked.id });
    await gone(tokenOf(revoked.url));

    const hers = await rig.tokenFor(mara, id, 'member');
    const [row] = (await rig.members.execute(owner, id)).members;
    await rig.changeRole.execute(owner, {
      projectId: id,
      personId: mara.personId,
      role: 'member',
      version: row!.version,
    });
    await gone(hers);

    const late = await rig.tokenFor(owner, id, 'member');
    await test.database.query(
      "UPDATE projects.invitations SET expires_at = created_at - interval '1 second' WHERE project_id = $1 AND state = 'open'",
      [id],
    );
    await gone(late);
    expect((await rig.invitations.execute(owner, id)).invitations).toEqual([]);
    await gone('a'.repeat(43));
  });

  it('sends an open one again with another link; the link before ends', async () => {
    const { id, owner } = await rig.project();
    const first = await rig.invite.execute(owner, {
      projectId: id,
      role: 'member',
      email: 'ned@example.com',
    });
    const again = await rig.resend.execute(owner, { projectId: id, invitationId: first.id });
    expect(again).toMatchObject({ id: first.id, email: 'ned@example.com' });
    await expect(rig.offer.execute({ token: tokenOf(first.url) })).rejects.toMatchObject({
      code: 'invitation_gone',
    });
    expect(await rig.offer.execute({ token: tokenOf(again.url) })).toMatchObject({ role: 'member' });
    const newer = await rig.invite.execute(owner, {
      projectId: id,
      role: 'viewer',
      email: 'Ned@example.com',
    });
    const open = (await rig.invitations.execute(owner, id)).invitations;
    expect(open.map((invitation) => invitation.id)).toEqual([newer.id]);
  });

  it('gives the link in the answer when mail is off', async () => {
    const { id, owner } = await rig.project();
    rig.mailer.isOn = false;
    const before = rig.mailer.sent.length;
    const { url } = await rig.invite.execute(owner, {
      projectId: id,
      role: 'member',
      email: 'pat@example.com',
    });
    rig.mailer.isOn = true;
    expect(rig.mailer.sent).toHaveLength(before);
    expect(await rig.offer.execute({ token: tokenOf(url) })).toMatchObject({ email: 'pat@example.com' });
  });

  it('keeps tokens nowhere but in link and mail', async () => {
    const { id, owner } = await rig.project();
    const token = await rig.tokenFor(owner, id, 'member', 'hidden@example.com');
    const kept = await test.database.query('SELECT * FROM projects.invitations WHERE project_id = $1', [id]);
    const told = JSON.stringify([kept, rig.audit.entries, rig.outbox.events, rig.live.sent]);
    expect(told).not.toContain(token);
    expect(JSON.stringify(rig.audit.entries)).not.toContain('hidden@example.com');
  });

  it('refuses the fifty-first open invitation, a wrong role and a wrong address', async () => {
    const { id, owner } = await rig.project();
    for (let count = 0; count < 50; count += 1) {
      await rig.invite.execute(owner, { projectId: id, role: 'viewer' });
    }
    await expect(rig.invite.execute(owner, { projectId: id, role: 'viewer' })).rejects.toMatchObject({
      code: 'too_many',
    });
    await expect(
      rig.invite.execute(owner, { projectId: id, role: 'owner', email: 'nowhere' }),
    ).rejects.toMatchObject({ problems: [{ argument: 'role' }, { argument: 'email' }] });
  });

  it('platform 3.7: two changes of one role at once: the second hears how it is now', async () => {
    const { id, owner } = await rig.project();
    const kim = rig.somebody('Kim-3');
    await rig.join(id, kim.personId, 'member');
    const change = (role: string) =>
      rig.changeRole.execute(owner, { projectId: id, personId: kim.personId, role, version: 1 });
    const answers = await Promise.allSettled([change('viewer'), change('maintainer')]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const lost = answers.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(lost.reason).toMatchObject({ code: 'stale', detail: { current: { version: 2 } } });
    expect(events('MemberRoleChanged').at(-1)!.payload).toMatchObject({ oldRole: 'member' });
  });

  it('platform 17: of two maintainers who act against each other at once, the first commit wins', async () => {
    const { id } = await rig.project();
    const acts = [
      (by: PersonActor, on: PersonActor) =>
        rig.removeMember.execute(by, { projectId: id, personId: on.personId }),
      (by: PersonActor, on: PersonActor) =>
        rig.changeRole.execute(by, { projectId: id, personId: on.personId, role: 'viewer', version: 1 }),
    ];
    for (const [round, act] of acts.entries()) {
      const pair = ['left', 'right'].map((name) => rig.somebody(`${name}-${round}`));
      for (const { personId } of pair) await rig.join(id, personId, 'maintainer');
      const [left, right] = pair as [PersonActor, PersonActor];
      const answers = await behindTheLockOf(id, [() => act(left, right), () => act(right, left)]);
      expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const lost = answers.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
      expect(lost.reason).toMatchObject({ kind: 'forbidden', code: 'forbidden' });
    }
  });

  it('platform 17: nobody invites with a right that ended a moment ago', async () => {
    const { id, owner } = await rig.project();
    const mara = rig.somebody('Mara-8');
    await rig.join(id, mara.personId, 'maintainer');
    const [removed, invited] = await behindTheLockOf(id, [
      () => rig.removeMember.execute(owner, { projectId: id, personId: mara.personId }),
      () => rig.invite.execute(mara, { projectId: id, role: 'maintainer' }),
    ]);
    expect(removed!.status).toBe('fulfilled');
    expect(invited).toMatchObject({ status: 'rejected', reason: { code: 'forbidden' } });
    expect((await rig.invitations.execute(owner, id)).invitations).toEqual([]);
  });

  it('platform 17: nobody revokes or resends an invitation with a right that ended a moment ago', async () => {
    for (const act of ['revoke', 'resend'] as const) {
      const { id, owner } = await rig.project();
      const mara = rig.somebody(`Mara-9-${act}`);
      await rig.join(id, mara.personId, 'maintainer');
      const open = await rig.invite.execute(owner, { projectId: id, role: 'member' });
      const [removed, acted] = await behindTheLockOf(id, [
        () => rig.removeMember.execute(owner, { projectId: id, personId: mara.personId }),
        () => rig[act].execute(mara, { projectId: id, invitationId: open.id }),
      ]);
      expect(removed!.status).toBe('fulfilled');
      expect(acted).toMatchObject({ status: 'rejected', reason: { code: 'forbidden' } });
      expect(await rig.offer.execute({ token: tokenOf(open.url) })).toMatchObject({ role: 'member' });
    }
  });

  /** Lets commands pass their first check and wait for the lock of the project, in this order, before any goes on. */
  async function behindTheLockOf(
    projectId: string,
    commands: readonly (() => Promise<unknown>)[],
  ): Promise<PromiseSettledResult<unknown>[]> {
    const waiting = async (count: number) =>
      until(async () => {
        const row = await test.database.one<{ n: number }>(
          `SELECT count(*)::int AS n FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%projects.projects%'`,
        );
        return row!.n >= count;
      });
    const holder = new pg.Client({ connectionString: test.url });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM projects.projects WHERE id = $1 FOR UPDATE', [projectId]);
      const begun: Promise<unknown>[] = [];
      for (const command of commands) {
        begun.push(command());
        await waiting(begun.length);
      }
      await holder.query('ROLLBACK');
      return await Promise.allSettled(begun);
    } finally {
      await holder.end();
    }
  }

  it('platform 3.7: maintainers remove, everybody may leave, nobody touches the owner', async () => {
    const { id, owner } = await rig.project();
    const [mara, kim, lee] = ['Mara-4', 'Kim-4', 'Lee-4'].map((name) => rig.somebody(name)) as [
      ReturnType<typeof rig.somebody>,
      ReturnType<typeof rig.somebody>,
      ReturnType<typeof rig.somebody>,
    ];
    await rig.join(id, mara.personId, 'maintainer');
    await rig.join(id, kim.personId, 'member');
    await rig.join(id, lee.personId, 'viewer');
    const remove = (actor: typeof owner, personId: string) =>
      rig.removeMember.execute(actor, { projectId: id, personId });
    await expect(remove(kim, lee.personId)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(remove(mara, owner.personId)).rejects.toMatchObject({ code: 'owner' });
    await expect(remove(owner, owner.personId)).rejects.toMatchObject({ code: 'owner' });
    await remove(mara, kim.personId);
    expect(events('MemberRemoved').at(-1)!.payload).toMatchObject({ by: mara.personId, role: 'member' });
    await remove(lee, lee.personId);
    expect(events('MemberRemoved').at(-1)!.payload).toMatchObject({ by: null });
    expect(await rig.access.can(kim, id, 'read')).toBe(false);
    await expect(remove(owner, kim.personId)).rejects.toMatchObject({ code: 'not_found' });
    expect(rig.audit.entries.slice(-2).map(({ operation }) => operation)).toEqual([
      'member.removed',
      'member.left',
    ]);
  });

  it('platform 3.7: addresses are seen by those who administer alone', async () => {
    const { id, owner } = await rig.project();
    const kim = rig.somebody('Kim-5');
    await rig.join(id, kim.personId, 'member');
    const seen = await rig.members.execute(owner, id);
    expect(seen.members).toMatchObject([{ displayName: 'Kim-5', email: 'kim-5@example.com', you: false }]);
    const own = await rig.members.execute(kim, id);
    expect(own.members).toMatchObject([{ email: null, you: true }]);
    expect(own.owner.email).toBeNull();
    await expect(rig.invitations.execute(kim, id)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('platform 19.40: after a transfer the old owner is maintainer, the new one owns, and slugs stay apart', async () => {
    const { id, owner } = await rig.project('Harbour');
    const kim = rig.somebody('Kim-6');
    await rig.create.execute(kim, { name: 'Harbour' });
    const to = { projectId: id, personId: kim.personId };
    await expect(rig.transfer.execute(owner, to)).rejects.toMatchObject({ code: 'not_a_member' });
    await rig.join(id, kim.personId, 'viewer');
    await expect(rig.transfer.execute(kim, to)).rejects.toMatchObject({ code: 'forbidden' });
    await rig.transfer.execute(owner, to);
    expect(await rig.access.roleOf(owner.personId, id)).toBe('maintainer');
    expect(await rig.access.roleOf(kim.personId, id)).toBe('owner');
    expect(await rig.get.execute(kim, id)).toMatchObject({ slug: 'harbour-2', ownerName: 'Kim-6' });
    expect(events('ProjectTransferred').at(-1)!.payload).toMatchObject({
      oldOwnerId: owner.personId,
      newOwnerId: kim.personId,
      newSlug: 'harbour-2',
    });
    expect((await rig.members.execute(kim, id)).members.map(({ role }) => role)).toEqual(['maintainer']);
  });

  it('platform 6: an admin gives a project to any active person, and reads nothing of it', async () => {
    const { id } = await rig.project();
    const admin = { ...rig.somebody('Admin-7'), isAdmin: true };
    rig.somebody('New-7');
    const give = (newOwnerEmail: string) =>
      rig.transfer.executeForAdmin(admin, { projectId: id, newOwnerEmail });
    await expect(give('nobody@example.com')).rejects.toMatchObject({
      problems: [{ argument: 'newOwnerEmail' }],
    });
    await give('new-7@example.com');
    await expect(rig.get.execute(admin, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      rig.transfer.executeForAdmin(rig.somebody('Plain-7'), {
        projectId: id,
        newOwnerEmail: 'plain-7@example.com',
      }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});
