import { Person } from './person.js';

const NOW = new Date('2026-01-05T09:00:00.000Z');
const LATER = new Date('2026-01-05T10:00:00.000Z');

function person(isAdmin = false): Person {
  const made = Person.createVerified(
    { id: 'p1', email: 'Ines@example.com', displayName: 'Ines', passwordHash: 'h', isAdmin },
    NOW,
  );
  made.takeEvents();
  return made;
}

function restored(facts: Partial<ReturnType<Person['snapshot']>>): Person {
  return Person.restore({ ...person().snapshot(), ...facts });
}

describe('Person', () => {
  it('is active at once when made verified, and says that it was made', () => {
    const made = Person.createVerified(
      { id: 'p1', email: 'Ines@example.com', displayName: 'Ines', passwordHash: 'h', isAdmin: false },
      NOW,
    );
    expect(made.state).toBe('active');
    expect(made.snapshot()).toMatchObject({
      emailLower: 'ines@example.com',
      timezone: 'UTC',
      createdAt: NOW,
    });
    expect(made.takeEvents()).toMatchObject([
      { type: 'PersonRegistered', aggregateId: 'p1', personId: 'p1' },
    ]);
    expect(made.takeEvents()).toEqual([]);
  });

  it('is deleted before suspended before unverified', () => {
    expect(restored({ emailVerifiedAt: null }).state).toBe('unverified');
    expect(restored({ emailVerifiedAt: null, suspendedAt: NOW }).state).toBe('suspended');
    expect(restored({ suspendedAt: NOW, deletionRequestedAt: NOW }).state).toBe('deleted');
  });

  it.each(['verify', 'promote', 'reinstate'] as const)('changes nothing on a second %s', (act) => {
    const one = restored({ emailVerifiedAt: null, suspendedAt: NOW, isAdmin: false });
    expect(one[act](LATER)).toBe(true);
    expect(one.takeEvents()).toHaveLength(1);
    const after = one.snapshot();
    expect(one[act](new Date(LATER.getTime() + 1))).toBe(false);
    expect(one.takeEvents()).toEqual([]);
    expect(one.snapshot()).toEqual(after);
  });

  it('is suspended with a reason and comes back without it', () => {
    const one = person();
    expect(one.suspend('left', { activeAdmins: 0 }, LATER)).toBe(true);
    expect(one.snapshot()).toMatchObject({ suspendedAt: LATER, suspendedReason: 'left' });
    expect(one.suspend('again', { activeAdmins: 0 }, LATER)).toBe(false);
    one.reinstate(LATER);
    expect(one.snapshot()).toMatchObject({ suspendedAt: null, suspendedReason: null });
    expect(one.takeEvents().map(({ type }) => type)).toEqual(['PersonSuspended', 'PersonReinstated']);
  });

  it('is not suspended as the last active admin', () => {
    const admin = person(true);
    expect(() => admin.suspend(null, { activeAdmins: 0 }, LATER)).toThrow(
      'Promote another administrator first',
    );
    expect(admin.state).toBe('active');
    expect(admin.suspend(null, { activeAdmins: 1 }, LATER)).toBe(true);
  });

  it('names the fields that an edit changed, and keeps its time when none did', () => {
    const one = person();
    expect(one.edit({ displayName: 'Ines', timezone: 'Europe/Berlin' }, LATER)).toEqual(['timezone']);
    expect(one.snapshot().updatedAt).toEqual(LATER);
    expect(one.edit({ displayName: 'Ines', preferences: {} }, new Date())).toEqual([]);
    expect(one.snapshot().updatedAt).toEqual(LATER);
  });

  it('waits for the proof of the address after signing up, and is active with it', () => {
    const made = Person.register(
      { id: 'p1', email: 'Tobi@example.com', displayName: 'Tobi', passwordHash: 'h' },
      NOW,
    );
    expect([made.state, made.snapshot().isAdmin]).toEqual(['unverified', false]);
    expect(made.takeEvents().map(({ type }) => type)).toEqual(['PersonRegistered']);
    expect([made.verify(LATER), made.verify(LATER), made.state]).toEqual([true, false, 'active']);
  });

  it('identity 12.26: the last active admin stays one; others go, and going again changes nothing', () => {
    const last = person(true);
    expect(() => last.demote({ activeAdmins: 0 }, LATER)).toThrow('Promote another administrator first');
    expect(() => last.requestDeletion({ activeAdmins: 0 }, LATER)).toThrow(
      'Promote another administrator first',
    );
    expect(last.takeEvents()).toEqual([]);
    expect([last.demote({ activeAdmins: 1 }, LATER), last.demote({ activeAdmins: 1 }, LATER)]).toEqual([
      true,
      false,
    ]);
    expect(last.takeEvents().map(({ type }) => type)).toEqual(['PersonDemoted']);
  });

  it('frees its address and counts as gone from the moment of the deletion', () => {
    const gone = person();
    gone.requestDeletion({ activeAdmins: 1 }, LATER);
    expect(gone.state).toBe('deleted');
    expect(gone.snapshot()).toMatchObject({ deletionRequestedAt: LATER, emailLower: 'p1@deleted.invalid' });
    expect(gone.takeEvents()).toMatchObject([{ type: 'PersonDeleted', personId: 'p1' }]);
  });

  it('has no password after it was dropped, until one is chosen', () => {
    const one = person();
    expect(one.hasPassword).toBe(true);
    one.dropPassword(LATER);
    expect(one.hasPassword).toBe(false);
    one.changePassword('another', LATER);
    expect(one.hasPassword).toBe(true);
  });
});
