import { type FormEvent, useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';

/**
 * A form of filters that stand in the address. `apply` puts there what was typed; whatever else changes the address, such
 * as Back, fills the fields anew. The form itself stays, and so does the focus.
 * @param names of the fields, always the same list
 */
export function useFilterForm(names: readonly string[]) {
  const [search, setSearch] = useSearchParams();
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    for (const name of names) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) {
        field.value = search.get(name) ?? '';
      }
    }
  }, [search, names]);

  const apply = (event?: FormEvent) => {
    event?.preventDefault();
    if (!form.current) return;
    const typed = new FormData(form.current);
    const next = new URLSearchParams();
    for (const name of names) {
      const value = String(typed.get(name) ?? '').trim();
      if (value !== '') next.set(name, value);
    }
    setSearch(next, { replace: true });
  };
  return { form, apply, search, setSearch };
}
