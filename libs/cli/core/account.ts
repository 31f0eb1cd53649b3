import { failed } from './failure.js';

/** What `GET /api/me` answers. */
export interface Account {
  readonly person: { readonly id: string; readonly displayName: string };
  readonly connection: { readonly id: string; readonly label: string | null; readonly expiresAt: string };
  readonly projects: readonly AccountProject[];
}

export interface AccountProject {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly role: string;
}

/** Checks that an answer is an account. @throws Failure (1). */
export function accountOf(body: unknown, url: string): Account {
  const account = body as Account | null;
  if (typeof account?.person?.id === 'string' && Array.isArray(account.projects)) return account;
  throw failed(`${url} answers like no Loupe`, 'check the address');
}

/** `id  slug  name`, one a line. */
export function projectLines(projects: readonly AccountProject[]): string {
  return projects.map(({ id, slug, name }) => `  ${id}  ${slug}  ${name}`).join('\n');
}
