import { REPOSITORY_CHARACTERS } from './limits.js';

/** What the address of a pull request says; nulls for a page of any other site. */
export interface PullRequestPlace {
  readonly forge: 'github' | 'other';
  /** `owner/repo` as written. */
  readonly repository: string | null;
  readonly number: number | null;
}

const HOST = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/)?(?:www\.)?github\.com(?::\d+)?\//i;
const PATH = /^([^/?#\s]+)\/([^/?#\s]+)\/pull\/(\d+)\/?(?:[?#].*)?$/s;
const NUMBER_MAX = 2_147_483_647;

/** Reads the address of a pull request. Never refuses: what it does not know is `other`. */
export function readPullRequestUrl(url: string): PullRequestPlace {
  const address = url.trim();
  const host = HOST.exec(address);
  const match = host && PATH.exec(address.slice(host[0].length));
  if (!match) return { forge: 'other', repository: null, number: null };
  const repository = `${match[1]}/${match[2]}`;
  const number = Number(match[3]);
  return repository.length > REPOSITORY_CHARACTERS || number > NUMBER_MAX
    ? { forge: 'github', repository: null, number: null }
    : { forge: 'github', repository, number };
}
