import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../../components/button';
import { Chip } from '../../components/chip';
import { RelativeTime } from '../../components/relative-time';
import { useTextDraft } from '../drafts/use-draft';
import type { Decision } from '../shapes';
import { useReview } from './review-context';

const NOTE_PAUSE_MS = 800;

export interface DecisionControlProps {
  readonly fieldset: HTMLFieldSetElement;
  readonly decision: Decision;
}

/** Brings a decision block of the text to life: its state, its note and who answered. */
export function DecisionControl({ fieldset, decision }: DecisionControlProps) {
  const { actions, mayWrite } = useReview();
  const places = usePlaces(fieldset);
  const latest = useRef(decision);
  latest.current = decision;
  const picked = decision.selections.flatMap(({ index }) => (index === null ? [] : [index]));
  const answered = decision.selections.length > 0 || decision.note !== null;
  const pickedKey = picked.join(',');

  useLayoutEffect(() => {
    const chosen = new Set(pickedKey === '' ? [] : pickedKey.split(',').map(Number));
    inputsOf(fieldset, decision).forEach((input, index) => {
      input.checked = chosen.has(index);
      input.disabled = !mayWrite;
    });
  }, [fieldset, decision, pickedKey, mayWrite]);

  useEffect(() => {
    if (answered || !mayWrite) delete fieldset.dataset.open;
    else fieldset.dataset.open = '';
  }, [fieldset, answered, mayWrite]);

  useEffect(() => {
    const onChange = (event: Event) => {
      if (!(event.target instanceof HTMLInputElement)) return;
      event.stopPropagation();
      const inputs = inputsOf(fieldset, latest.current);
      const indexes = inputs.flatMap((input, index) => (input.checked ? [index] : []));
      void actions.decide(decision.id, indexes, latest.current.note);
    };
    fieldset.addEventListener('change', onChange);
    return () => fieldset.removeEventListener('change', onChange);
  }, [fieldset, actions, decision.id]);

  const gone = decision.selections.filter(({ index }) => index === null);
  const latestAnswer = decision.selections[0];
  if (!places) return null;
  return (
    <>
      {createPortal(
        answered ? (
          <Chip tone="good" glyph="done">
            Answered
          </Chip>
        ) : (
          <Chip tone={mayWrite ? 'warn' : 'neutral'} glyph={mayWrite ? 'needs-you' : 'not-started'}>
            {mayWrite ? 'Your answer is needed' : 'Not answered'}
          </Chip>
        ),
        places.chip,
      )}
      {createPortal(
        <>
          {gone.map((selection) => (
            <p key={selection.label} className="decision__gone">
              You chose: <i dir="auto">{selection.label}</i> (version {selection.answeredAtVersion}). That
              option is no longer offered.
            </p>
          ))}
          <DecisionNote decision={decision} />
          <div className="decision__foot">
            {latestAnswer ? (
              <span>
                Answered {decision.updatedBy ? `by ${decision.updatedBy} ` : ''}in version{' '}
                {latestAnswer.answeredAtVersion}
                {', '}
                <RelativeTime at={latestAnswer.answeredAt} />
              </span>
            ) : (
              mayWrite && <span>Your choice is saved at once. You can change it later.</span>
            )}
            {mayWrite && decision.selections.length > 0 && (
              <button
                type="button"
                className="link-btn"
                onClick={() => void actions.decide(decision.id, [], decision.note)}
              >
                Clear
              </button>
            )}
          </div>
        </>,
        places.foot,
      )}
    </>
  );
}

/** Hosts inside the block that carry no anchor; made once for each block. */
function usePlaces(fieldset: HTMLFieldSetElement): { chip: HTMLElement; foot: HTMLElement } | null {
  const [places, setPlaces] = useState<{ chip: HTMLElement; foot: HTMLElement } | null>(null);
  useLayoutEffect(() => {
    const make = (name: string, parent: Element, element: 'span' | 'div') => {
      const known = fieldset.querySelector<HTMLElement>(`:scope [data-place="${name}"]`);
      if (known) return known;
      const host = document.createElement(element);
      host.dataset.place = name;
      host.setAttribute('data-no-anchor', '');
      if (parent.classList.contains('visually-hidden')) parent.after(host);
      else parent.append(host);
      return host;
    };
    setPlaces({
      chip: make('chip', fieldset.querySelector('legend') ?? fieldset, 'span'),
      foot: make('foot', fieldset, 'div'),
    });
  }, [fieldset]);
  return places;
}

/** The boxes of a block in the order of its options; made here when the text has none. */
function inputsOf(fieldset: HTMLFieldSetElement, decision: Decision): HTMLInputElement[] {
  const known = [
    ...fieldset.querySelectorAll<HTMLInputElement>('input[type="radio"], input[type="checkbox"]'),
  ];
  if (known.length > 0) {
    for (const input of known) {
      input.classList.add('check');
      if (input.type === 'radio' && !input.name) input.name = `decision-${decision.id}`;
    }
    return known;
  }
  return [...fieldset.querySelectorAll<HTMLElement>('li')].slice(0, decision.options.length).map((item) => {
    const input = document.createElement('input');
    input.type = decision.type === 'single' ? 'radio' : 'checkbox';
    input.name = `decision-${decision.id}`;
    input.className = 'check';
    input.setAttribute('data-no-anchor', '');
    input.setAttribute('aria-label', decision.options[known.length]?.label ?? '');
    item.prepend(input);
    known.push(input);
    return input;
  });
}

function DecisionNote({ decision }: { readonly decision: Decision }) {
  const { actions, mayWrite, drafts } = useReview();
  const [draft, setDraft] = useTextDraft(drafts, `decision-note.${decision.id}`);
  const [open, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(decision);
  latest.current = decision;
  const stored = decision.note ?? '';
  // A draft that equals what is stored is none.
  const text = draft === '' ? stored : draft;

  const save = (value: string) => {
    clearTimeout(timer.current);
    const note = value.trim() === '' ? null : value;
    if (note === latest.current.note) {
      setDraft('');
      return;
    }
    const indexes = latest.current.selections.flatMap(({ index }) => (index === null ? [] : [index]));
    void actions.decide(decision.id, indexes, note).then((saved) => {
      if (saved) setDraft('');
    });
  };
  useEffect(() => () => clearTimeout(timer.current), []);

  if (!mayWrite) {
    return stored === '' ? null : (
      <p dir="auto" className="decision__note">
        {stored}
      </p>
    );
  }
  if (!open && text === '') {
    return (
      <div>
        <Button size="sm" variant="ghost" onClick={() => setOpen(true)}>
          Add a note
        </Button>
      </div>
    );
  }
  return (
    <label className="field">
      <span className="label">
        Note <span className="hint">optional, saved as you type</span>
      </span>
      <textarea
        className="textarea"
        dir="auto"
        rows={2}
        maxLength={5000}
        // biome-ignore lint/a11y/noAutofocus: it was opened to be written in
        autoFocus={open}
        value={text}
        onChange={(event) => {
          const { value } = event.target;
          // An emptied note is kept as a blank, so that it does not spring back to what is stored.
          setDraft(value === '' ? ' ' : value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => save(value), NOTE_PAUSE_MS);
        }}
        onBlur={(event) => save(event.target.value)}
      />
    </label>
  );
}
