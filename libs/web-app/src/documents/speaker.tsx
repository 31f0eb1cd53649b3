import { Bot } from 'lucide-react';
import { Avatar } from '../components/avatar';
import { Icon } from '../components/icon';
import type { Author } from './shapes';

/** Who speaks, told by the form: people are round, agents are square. */
export function Speaker({ author }: { readonly author: Author }) {
  if (author.kind === 'person') return <Avatar name={author.name ?? '?'} />;
  return (
    <span className="avatar" data-kind="agent" aria-hidden="true">
      <Icon icon={Bot} size="sm" />
    </span>
  );
}
