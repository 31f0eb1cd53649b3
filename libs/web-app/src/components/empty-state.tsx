import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from './icon';

export interface EmptyStateProps {
  readonly icon: LucideIcon;
  readonly title: string;
  /** What belongs here and how it gets here. */
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  readonly level?: 2 | 3;
}

export function EmptyState({ icon, title, children, actions, level = 2 }: EmptyStateProps) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <div className="empty">
      <Icon icon={icon} />
      <Heading>{title}</Heading>
      <p>{children}</p>
      {actions && <div className="row">{actions}</div>}
    </div>
  );
}
