import type { ReactNode } from 'react';
import { sentenceOf } from '../api/problem';
import { Banner } from './banner';
import { Button } from './button';

export interface PageHeadProps {
  readonly title: ReactNode;
  readonly sub?: ReactNode;
  /** Beside the title, such as a count. */
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
}

/** The heading of a page, with what can be done there. */
export function PageHead({ title, sub, aside, actions }: PageHeadProps) {
  return (
    <header className="page-head">
      {sub ? (
        <div className="page-head__text">
          <h1>{title}</h1>
          <p className="page-sub">{sub}</p>
        </div>
      ) : (
        <h1>{title}</h1>
      )}
      {aside}
      {actions && <div className="page-head__actions">{actions}</div>}
    </header>
  );
}

export interface LoadProblemProps {
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** Stands where data belongs that could not be fetched. */
export function LoadProblem({ error, onRetry }: LoadProblemProps) {
  return (
    <Banner
      tone="bad"
      alert
      actions={
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {sentenceOf(error)}
    </Banner>
  );
}
