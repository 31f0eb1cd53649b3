import { CircleAlert, CircleCheck, CircleX, Info, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from './icon';
import type { Tone } from './tone';

const ICONS: Record<Tone, LucideIcon> = {
  accent: Info,
  neutral: Info,
  good: CircleCheck,
  warn: CircleAlert,
  bad: CircleX,
};

export interface BannerProps {
  readonly tone?: Tone;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  /** Read out at once; for failures only. */
  readonly alert?: boolean;
}

/** One sentence and one action, in the flow of the page. */
export function Banner({ tone = 'accent', children, actions, alert }: BannerProps) {
  return (
    <div className="banner" data-tone={tone} role={alert ? 'alert' : 'status'}>
      <Icon icon={ICONS[tone]} />
      <div className="banner__text">{children}</div>
      {actions && <div className="banner__actions">{actions}</div>}
    </div>
  );
}

/** A refusal that belongs to no field; nothing while there is none. */
export function ProblemBanner({ problem }: { readonly problem: string | null }) {
  if (!problem) return null;
  return (
    <Banner tone="bad" alert>
      {problem}
    </Banner>
  );
}
