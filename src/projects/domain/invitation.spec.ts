import { type Invitation, invitationHash, isFor, newInvitation, renewed, stateAt } from './invitation.js';

const NOW = new Date('2026-12-01T12:00:00Z');
const later = (days: number) => new Date(NOW.getTime() + days * 86_400_000);

const make = (email: string | null = 'kim@example.com') =>
  newInvitation({ id: 'i', projectId: 'p', role: 'member', email, createdBy: 'o' }, NOW);

describe('an invitation into a project', () => {
  it('is good for 7 days, and its token is kept as a hash alone', () => {
    const { invitation, token } = make();
    expect(stateAt(invitation, later(6.999))).toBe('open');
    expect(stateAt(invitation, later(7))).toBe('expired');
    expect(invitation.tokenHash).toBe(invitationHash(token));
    expect(JSON.stringify(invitation)).not.toContain(token);
  });

  it('gets another link when it is sent again, and its full time', () => {
    const first = make();
    const second = renewed(first.invitation, later(6));
    expect(second.invitation).toMatchObject({ id: 'i', role: 'member', email: 'kim@example.com' });
    expect(second.invitation.tokenHash).not.toBe(first.invitation.tokenHash);
    expect(stateAt(second.invitation, later(12))).toBe('open');
  });

  it('stays ended whatever the time', () => {
    const revoked: Invitation = { ...make().invitation, state: 'revoked' };
    expect(stateAt(revoked, later(8))).toBe('revoked');
  });

  it.each([
    ['kim@example.com', 'Kim@Example.com', true],
    ['kim@example.com', 'eve@example.com', false],
    ['kim@example.com', null, false],
    [null, 'eve@example.com', true],
  ])('for %s may be answered by %s: %s', (email, verified, may) => {
    expect(isFor(make(email).invitation, verified)).toBe(may);
  });

  it.each(['', 'short', '../x', `${'a'.repeat(42)}!`])('no invitation has the token %j', (token) => {
    expect(invitationHash(token)).toBeNull();
  });
});
