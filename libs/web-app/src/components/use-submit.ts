import { useEffect, useRef, useState } from 'react';
import { ApiProblem, sentenceOf } from '../api/problem';
import { requestId } from '../api/request-id';

export interface Submit<A> {
  readonly run: () => Promise<A | undefined>;
  readonly busy: boolean;
  /** Sentences of the server, by field. */
  readonly fields: Readonly<Record<string, string>>;
  /** One sentence when the refusal belongs to no field. */
  readonly problem: string | null;
  readonly error: unknown;
  readonly clear: () => void;
  /** Goes on the form; after a refusal the first wrong field gets the focus. */
  readonly form: React.RefObject<HTMLFormElement | null>;
}

/**
 * Sends a form. Repeats of the same try carry the same request id until one succeeds, so a lost answer never makes two.
 * What was typed stays through every refusal.
 */
export function useSubmit<A>(send: (id: string) => Promise<A>, onDone?: (answer: A) => void): Submit<A> {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const id = useRef<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const fields = error instanceof ApiProblem ? error.fields : {};
  const alone = error !== null && Object.keys(fields).length === 0;

  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);

  return {
    form,
    busy,
    fields,
    error,
    problem: alone ? sentenceOf(error) : null,
    clear: () => setError(null),
    async run() {
      if (busy) return undefined;
      setBusy(true);
      setError(null);
      id.current ??= requestId();
      try {
        const answer = await send(id.current);
        id.current = null;
        onDone?.(answer);
        return answer;
      } catch (refusal) {
        // A refusal was an answer: what is sent next is another try.
        if (!(refusal instanceof ApiProblem && refusal.isAway)) id.current = null;
        setError(refusal);
        return undefined;
      } finally {
        setBusy(false);
      }
    },
  };
}
