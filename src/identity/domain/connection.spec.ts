import { Connection, type NewConnection } from './connection.js';

const NOW = new Date('2026-01-05T09:00:00.000Z');
const LATER = new Date('2026-01-06T09:00:00.000Z');
const FACTS: NewConnection = {
  id: 'c',
  personId: 'p',
  clientId: 'https://client.example/x',
  clientName: 'Night Shift Coder',
  clientUri: null,
  scopes: ['mcp'],
  projectId: 'ferry',
  origin: null,
  label: null,
  audience: 'https://loupe.example.com/mcp',
};

describe('Connection', () => {
  it('lives 365 days', () => {
    expect(Connection.grant(FACTS, NOW).state).toMatchObject({
      createdAt: NOW,
      expiresAt: new Date('2027-01-05T09:00:00.000Z'),
      revokedAt: null,
      revokedReason: null,
    });
  });

  it('is bound to a project exactly when its scopes say so', () => {
    expect(() => Connection.grant({ ...FACTS, projectId: null }, NOW)).toThrow('do not fit');
    expect(() => Connection.grant({ ...FACTS, scopes: ['site-review'], projectId: null }, NOW)).toThrow();
    expect(() => Connection.grant({ ...FACTS, scopes: ['agent', 'mcp', 'projects'] }, NOW)).toThrow();
    expect(
      Connection.grant({ ...FACTS, scopes: ['agent'], projectId: null }, NOW).state.projectId,
    ).toBeNull();
  });

  it('ends once, and keeps the first reason', () => {
    const connection = Connection.grant(FACTS, NOW);
    expect(connection.revoke('person', 'p', NOW)).toBe(true);
    expect(connection.revoke('refresh-reuse', null, LATER)).toBe(false);
    expect(connection.state).toMatchObject({ revokedAt: NOW, revokedBy: 'p', revokedReason: 'person' });
  });
});
