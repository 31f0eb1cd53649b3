import { useEffect, useRef, useState } from 'react';
import { Select, type SelectProps } from './field';

/** Letters and arrows pass by other options on their way: a choice by keys is one when it has rested for so long. */
const REST_MS = 700;

export interface ActingSelectProps extends Omit<SelectProps, 'value' | 'defaultValue' | 'onChange'> {
  readonly value: string;
  /** Does what was chosen. Until it settles the choice is shown, then `value` again. */
  readonly onChoose: (value: string) => Promise<unknown>;
}

/**
 * A select that acts by itself, without a button beside it. A choice by pointer acts at once, one by keys when it has
 * rested, at Enter, or when the focus leaves.
 */
export function ActingSelect({ value, onChoose, children, ...rest }: ActingSelectProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  const byKeys = useRef(false);
  const resting = useRef<{ readonly value: string; readonly timer: ReturnType<typeof setTimeout> } | null>(
    null,
  );
  const latest = useRef({ value, onChoose });
  latest.current = { value, onChoose };

  const act = async (next: string) => {
    try {
      if (next !== latest.current.value) await latest.current.onChoose(next);
    } finally {
      setChosen((now) => (now === next ? null : now));
    }
  };
  const settle = () => {
    if (!resting.current) return;
    const { value: next, timer } = resting.current;
    clearTimeout(timer);
    resting.current = null;
    void act(next);
  };
  const settleLatest = useRef(settle);
  settleLatest.current = settle;
  useEffect(() => () => settleLatest.current(), []);

  return (
    <Select
      {...rest}
      value={chosen ?? value}
      onPointerDown={() => {
        byKeys.current = false;
      }}
      onKeyDown={(event) => {
        byKeys.current = true;
        if (event.key === 'Enter') settle();
      }}
      onBlur={settle}
      onChange={(event) => {
        const next = event.target.value;
        setChosen(next);
        if (resting.current) clearTimeout(resting.current.timer);
        resting.current = { value: next, timer: setTimeout(() => settleLatest.current(), REST_MS) };
        if (!byKeys.current) settle();
      }}
    >
      {children}
    </Select>
  );
}
