import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useDeferredValue, useId, useRef, useState } from 'react';
import { api as http } from '../../api/client';
import { IconButton } from '../../components/button';
import type { DocumentPage } from '../../documents/shapes';
import { boardKeys } from '../api';
import { useBoardSpace } from '../data/board-space';
import type { CardSuggestion } from '../types';

export interface PickerOption {
  readonly id: string;
  readonly label: string;
  readonly note?: string;
}

interface PickerProps {
  readonly id: string;
  readonly invalid?: boolean;
  readonly describedBy?: string;
  readonly placeholder: string;
  readonly options: readonly PickerOption[];
  readonly busy: boolean;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onPick: (option: PickerOption) => void;
}

/** A field that finds one thing by words; arrows, Enter and Escape work as in every list of this kind. */
function Picker({ id, invalid, describedBy, placeholder, options, busy, text, onText, onPick }: PickerProps) {
  const listId = useId();
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const active = Math.min(at, options.length - 1);
  const pick = (option: PickerOption | undefined) => {
    if (!option) return;
    onPick(option);
    onText('');
    setOpen(false);
    setAt(0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') {
      setOpen(true);
      setAt(open ? (active + 1) % Math.max(options.length, 1) : 0);
    } else if (event.key === 'ArrowUp') setAt((active - 1 + options.length) % Math.max(options.length, 1));
    else if (event.key === 'Enter' && open) pick(options[active]);
    else if (event.key === 'Escape' && open) setOpen(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="pick">
      <input
        id={id}
        className="input"
        type="text"
        role="combobox"
        aria-expanded={open}
        aria-controls={listId}
        aria-activedescendant={open && options.length > 0 ? `${listId}-${active}` : undefined}
        aria-autocomplete="list"
        aria-invalid={invalid}
        aria-describedby={describedBy}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={text}
        onChange={(event) => {
          onText(event.target.value);
          setOpen(true);
          setAt(0);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <div className="pick__list" id={listId} role="listbox" aria-label={placeholder} hidden={!open}>
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field points at the options
          <div
            key={option.id}
            id={`${listId}-${index}`}
            className="pick__item"
            role="option"
            aria-selected={index === active}
            onPointerDown={(event) => event.preventDefault()}
            onPointerMove={() => setAt(index)}
            onClick={() => pick(option)}
          >
            <span className="truncate" dir="auto">
              {option.label}
            </span>
            {option.note && <small className="faint nowrap">{option.note}</small>}
          </div>
        ))}
        {options.length === 0 && (
          <div className="pick__none" role="presentation">
            {busy ? 'Searching' : 'Nothing matches'}
          </div>
        )}
      </div>
    </div>
  );
}

export interface FieldControl {
  readonly id: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
}

export interface CardPickerProps {
  readonly control: FieldControl;
  readonly epics?: boolean;
  readonly exclude: readonly string[];
  readonly onPick: (card: CardSuggestion) => void;
}

export function CardPicker({ control, epics = false, exclude, onPick }: CardPickerProps) {
  const { api, projectId } = useBoardSpace();
  const [text, setText] = useState('');
  const q = useDeferredValue(text.trim().replace(/^#/u, ''));
  const { data, isFetching } = useQuery({
    queryKey: boardKeys.suggest(projectId, q, epics),
    queryFn: ({ signal }) => api.suggest(q, epics, signal),
    placeholderData: (before) => before,
  });
  const cards = (data?.cards ?? []).filter((card) => !exclude.includes(card.cardId));
  return (
    <Picker
      id={control.id}
      invalid={control['aria-invalid']}
      describedBy={control['aria-describedby']}
      placeholder="Title or number"
      options={cards.map((card) => ({
        id: card.cardId,
        label: `#${card.number} ${card.title}`,
        note: card.terminal ? 'finished' : card.status,
      }))}
      busy={isFetching}
      text={text}
      onText={setText}
      onPick={({ id }) => {
        const found = cards.find((card) => card.cardId === id);
        if (found) onPick(found);
      }}
    />
  );
}

export interface DocumentPickerProps {
  readonly control: FieldControl;
  readonly exclude: readonly string[];
  readonly onPick: (document: { readonly documentId: string; readonly title: string }) => void;
}

export function DocumentPicker({ control, exclude, onPick }: DocumentPickerProps) {
  const { projectId } = useBoardSpace();
  const [text, setText] = useState('');
  const q = useDeferredValue(text.trim());
  const { data, isFetching } = useQuery({
    queryKey: ['documents', projectId, 'pick', q],
    queryFn: ({ signal }) =>
      http.get<DocumentPage>(`/projects/${projectId}/documents`, {
        signal,
        query: { q: q || undefined },
      }),
    placeholderData: (before) => before,
  });
  const documents = (data?.documents ?? []).filter((each) => !exclude.includes(each.id)).slice(0, 12);
  return (
    <Picker
      id={control.id}
      invalid={control['aria-invalid']}
      describedBy={control['aria-describedby']}
      placeholder="Words of the document"
      options={documents.map((each) => ({ id: each.id, label: each.title }))}
      busy={isFetching}
      text={text}
      onText={setText}
      onPick={({ id, label }) => onPick({ documentId: id, title: label })}
    />
  );
}

export interface ChosenProps {
  readonly label: string;
  readonly onRemove: () => void;
  readonly children: ReactNode;
}

/** One thing that was picked, with the way to let go of it. */
export function Chosen({ label, onRemove, children }: ChosenProps) {
  const ref = useRef<HTMLLIElement>(null);
  return (
    <li ref={ref} className="chosen">
      <span className="truncate" dir="auto">
        {children}
      </span>
      <IconButton
        label={`Remove ${label}`}
        icon={X}
        size="sm"
        onClick={() => {
          // The field of the picker is the next thing in the hand.
          ref.current?.closest('.field, .card-form__set')?.querySelector('input')?.focus();
          onRemove();
        }}
      />
    </li>
  );
}
