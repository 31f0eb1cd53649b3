import type { ReactNode } from 'react';
import { Glyph } from '../../components/icon';

const STEPS = ['Project', 'Agent', 'Done'] as const;

export interface WizardProps {
  readonly step: 0 | 1 | 2;
  /** No agent has been seen, though its step lies behind. */
  readonly withoutAgent?: boolean;
  readonly title: ReactNode;
  readonly sub: ReactNode;
  readonly children: ReactNode;
}

/** The frame of the first-run wizard: three steps, each with an address of its own. */
export function Wizard({ step, withoutAgent, title, sub, children }: WizardProps) {
  const isDone = (index: number) => index < step && !(withoutAgent && STEPS[index] === 'Agent');
  return (
    <div className="wizard">
      <ol className="wizard__steps" aria-label="Steps">
        {STEPS.map((name, index) => (
          <li key={name} aria-current={index === step ? 'step' : undefined}>
            <Glyph
              name={isDone(index) ? 'done' : index === step ? 'unfinished' : 'pending'}
              tone={isDone(index) ? 'good' : index === step ? 'accent' : 'neutral'}
            />
            {name}
            {index < step && (
              <span className="visually-hidden">{isDone(index) ? ', done' : ', skipped'}</span>
            )}
          </li>
        ))}
      </ol>
      <div>
        <h1>{title}</h1>
        <p className="page-sub">{sub}</p>
      </div>
      {children}
    </div>
  );
}
