import { useEffect, useRef, useState } from 'react';
import { SearchInput } from '../../components/field';

const TYPING_PAUSE_MS = 200;

export interface FilterFieldProps {
  readonly id?: string;
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (words: string) => void;
  /** Enter, with words in the field. */
  readonly onEnter?: () => void;
}

/** Filters what stands below once the typing rests. */
export function FilterField({ id, label, placeholder, value, onChange, onEnter }: FilterFieldProps) {
  const [text, setText] = useState(value);
  const told = useRef(value);
  const tell = useRef(onChange);
  tell.current = onChange;
  useEffect(() => {
    // Changed from outside, such as by Clear or the back button.
    if (value === told.current) return;
    told.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text.trim() === told.current) return;
    const timer = setTimeout(() => {
      told.current = text.trim();
      tell.current(told.current);
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <SearchInput
      id={id}
      aria-label={label}
      placeholder={placeholder}
      maxLength={500}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && text.trim() !== '') {
          told.current = text.trim();
          tell.current(told.current);
          onEnter?.();
        }
      }}
    />
  );
}
