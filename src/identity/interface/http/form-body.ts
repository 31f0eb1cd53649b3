import type { HttpRequest } from '#libs/http/exchange.js';

/** A field of a posted form; empty when it is missing or was sent more than once. */
export function formField(request: HttpRequest, name: string): string {
  const value: unknown = request.body?.[name];
  return typeof value === 'string' ? value : '';
}

/** A parameter of the address; null when it is missing or was sent more than once. */
export function queryField(request: HttpRequest, name: string): string | null {
  const value: unknown = request.query[name];
  return typeof value === 'string' ? value : null;
}
