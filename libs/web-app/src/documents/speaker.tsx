import { Avatar } from '../components/avatar';
import type { Author } from './shapes';

/** Who speaks, told by the form: people are round, agents are square. */
export function Speaker({ author }: { readonly author: Author }) {
  return <Avatar name={author.name ?? '?'} kind={author.kind === 'person' ? 'person' : 'agent'} />;
}
