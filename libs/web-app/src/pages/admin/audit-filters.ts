import type { Query } from '../../api/address';
import { dayBounds } from '../../components/format-time';

export const AUDIT_FILTERS = [
  'actor',
  'operation',
  'channel',
  'outcome',
  'project',
  'subject',
  'from',
  'to',
] as const;

export const CHANNELS = ['web', 'mcp', 'api', 'widget', 'oauth', 'console', 'system'] as const;
export const OUTCOMES = ['success', 'refused', 'failed'] as const;

/** The filters of the address as the API takes them. Days are those of the admin's time zone, both included. */
export function auditQuery(search: URLSearchParams, timeZone: string): Query {
  const query: Record<string, string> = {};
  for (const name of AUDIT_FILTERS) {
    const value = search.get(name)?.trim();
    if (!value) continue;
    if (name === 'from' || name === 'to') {
      if (/^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(`${value}T00:00:00Z`))) {
        query[name] = dayBounds(value, timeZone)[name];
      }
    } else query[name] = value;
  }
  return query;
}
