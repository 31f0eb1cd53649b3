import { useEffect, useRef, useState } from 'react';
import { SearchInput } from './field';

const TYPING_PAUSE_MS = 250;

export interface WordsFieldProps {
  readonly label: string;
  readonly placeholder: string;
  /** Characters; default 500. */
  readonly maxLength?: number;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Words are looked for once the typing rests. */
export function WordsField({ label, placeholder, maxLength = 500, value, onChange }: WordsFieldProps) {
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  const tell = useRef(onChange);
  tell.current = onChange;
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    if (typed.trim() === told.current) return;
    const timer = setTimeout(() => {
      told.current = typed.trim();
      tell.current(typed.trim());
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <SearchInput
      aria-label={label}
      placeholder={placeholder}
      maxLength={maxLength}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}
