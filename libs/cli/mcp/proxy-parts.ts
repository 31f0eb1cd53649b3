import type { SignIn } from '../core/sign-in.js';
import type { Fetch } from '../core/web.js';
import type { Pace } from './pace.js';
import type { ProjectWatch } from './project-watch.js';

/** What the proxy works with. */
export interface ProxyParts {
  readonly url: string;
  readonly signIn: Pick<SignIn, 'accessToken' | 'refreshed'>;
  readonly fetch: Fetch;
  readonly project: ProjectWatch;
  /** Headers that every request carries, such as the session of the agent. */
  readonly headers: Readonly<Record<string, string>>;
  /** One line of the protocol to the agent. */
  readonly write: (line: string) => void;
  /** One line for a person. */
  readonly note: (line: string) => void;
  readonly pace?: Pace;
}
