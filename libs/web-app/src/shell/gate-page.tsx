import type { ReactNode } from 'react';

export interface GatePageProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}

/** A page that says one thing: not found, switched off, failed. */
export function GatePage({ title, children, actions }: GatePageProps) {
  return (
    <div className="gate__main">
      <div className="gate__box" data-wide="">
        <h1>{title}</h1>
        <p className="muted">{children}</p>
        {actions && <div className="row">{actions}</div>}
      </div>
    </div>
  );
}
