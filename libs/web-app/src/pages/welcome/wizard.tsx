import type { ReactNode } from 'react';
import { Glyph } from '../../components/icon';

const STEPS = ['Project', 'Agent', 'Done'] as const;

export interface WizardProps {
  readonly step: 0 | 1 | 2;
  readonly title: ReactNode;
  readonly sub: ReactNode;
  readonly children: ReactNode;
}

/** The frame of the first-run wizard: three steps, each with an address of its own. */
export function Wizard({ step, title, sub, children }: WizardProps) {
  return (
    <div className="wizard">
      <ol className="wizard__steps" aria-label="Steps">
        {STEPS.map((name, index) => (
          <li key={name} aria-current={index === step ? 'step' : undefined}>
            <Glyph
              name={index < step ? 'done' : index === step ? 'unfinished' : 'pending'}
              tone={index < step ? 'good' : index === step ? 'accent' : 'neutral'}
            />
            {name}
            {index < step && <span className="visually-hidden">, done</span>}
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
