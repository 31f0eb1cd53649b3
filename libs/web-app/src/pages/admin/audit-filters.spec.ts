import { auditQuery } from './audit-filters';

describe('filters of the audit log', () => {
  test('days are those of the time zone of the admin, both included', () => {
    const query = auditQuery(
      new URLSearchParams('from=2026-11-01&to=2026-11-02&actor=%20Ines%20'),
      'Europe/Berlin',
    );
    expect(query).toEqual({
      actor: 'Ines',
      from: '2026-10-31T23:00:00.000Z',
      to: '2026-11-02T22:59:59.999Z',
    });
  });

  test('what is no day and what is no filter is left out', () => {
    expect(auditQuery(new URLSearchParams('from=2026-13-40&to=soon&page=3&operation=flag.'), 'UTC')).toEqual({
      operation: 'flag.',
    });
  });
});
