import { Bot } from 'lucide-react';
import { Icon } from './icon';
import { initialsOf } from './initials';

export interface AvatarProps {
  readonly name: string;
  /** People are round, agents are square, Loupe is the filled square. */
  readonly kind?: 'person' | 'agent' | 'loupe';
  readonly size?: 'sm' | 'lg';
  readonly live?: 'live' | 'stale';
}

/** Tells by its form who speaks. The name stands beside it, so it is hidden from assistive technology. */
export function Avatar({ name, kind = 'person', size, live }: AvatarProps) {
  return (
    <span
      className="avatar"
      data-kind={kind === 'person' ? undefined : kind}
      data-size={size}
      data-live={live}
      aria-hidden="true"
    >
      {kind === 'agent' ? <Icon icon={Bot} size="sm" /> : initialsOf(name)}
    </span>
  );
}
