import type { Machine } from '../../api/types';
import { arrivalOf } from './arrival-steps';

const machine = (over: Partial<Machine>): Machine => ({
  connectionId: 'c',
  label: 'quay-02',
  clientName: 'Loupe CLI',
  signedInAt: '2026-11-30T10:00:00Z',
  lastSeenAt: null,
  usedThisProjectAt: null,
  ...over,
});

const states = (machines: Machine[]) => arrivalOf(machines).map((step) => step.state);

describe('the way of a machine into a project', () => {
  test('with no machine it waits for one to sign in', () => {
    expect(states([])).toEqual(['now', 'later']);
  });

  test('platform 19.12: a new CLI login is the first step done, and the call is waited for', () => {
    const [signedIn, call] = arrivalOf([machine({})]);
    expect(signedIn).toMatchObject({ state: 'done', label: 'quay-02', at: '2026-11-30T10:00:00Z' });
    expect(call).toMatchObject({ state: 'now', at: null });
  });

  test('both steps tell of the machine that called last', () => {
    const steps = arrivalOf([
      machine({ label: 'old', usedThisProjectAt: '2026-11-30T11:00:00Z' }),
      machine({ label: null, clientName: 'Claude Code', usedThisProjectAt: '2026-11-30T12:00:00Z' }),
      machine({ label: 'newest login', signedInAt: '2026-11-30T13:00:00Z' }),
    ]);
    expect(steps.map((step) => step.label)).toEqual(['Claude Code', 'Claude Code']);
    expect(steps.map((step) => step.state)).toEqual(['done', 'done']);
  });
});
