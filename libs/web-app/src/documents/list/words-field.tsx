import { useEffect, useRef, useState } from 'react';
import { SearchInput } from '../../components/field';

const TYPING_PAUSE_MS = 250;

export interface WordsFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Words are looked for once the typing rests. */
export function WordsField({ value, onChange }: WordsFieldProps) {
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
      aria-label="Search documents"
      placeholder="Search words, “exact phrase”, −without"
      maxLength={500}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}
