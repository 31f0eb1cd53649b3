import { X } from 'lucide-react';
import { useState } from 'react';
import { Banner } from '../../components/banner';
import { Button, IconButton } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { Field } from '../../components/field';
import { useSubmit } from '../../components/use-submit';
import type { CardRef } from '../shapes';

export interface CardsDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly cards: readonly CardRef[];
  readonly onSave: (numbers: readonly number[]) => Promise<void>;
}

/** The cards that this artifact is for, by their numbers. */
export function CardsDialog({ open, ...rest }: CardsDialogProps) {
  return open ? <OpenDialog {...rest} /> : null;
}

function OpenDialog({ onClose, cards, onSave }: Omit<CardsDialogProps, 'open'>) {
  const [numbers, setNumbers] = useState<readonly number[]>(() => cards.map(({ number }) => number));
  const [typed, setTyped] = useState('');
  const more = numbersIn(typed).filter((number) => !numbers.includes(number));
  const submit = useSubmit(() => onSave([...numbers, ...more]), onClose);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Link cards"
      onSubmit={() => void submit.run()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={submit.busy}>
            Save links
          </Button>
        </>
      }
    >
      <div className="stack" data-fill="">
        {submit.error !== null && (
          <Banner tone="bad" alert>
            {submit.problem ?? Object.values(submit.fields).join(' ')}
          </Banner>
        )}
        {numbers.length > 0 && (
          <ul className="stack" data-fill="" data-gap="tight">
            {numbers.map((number) => (
              <li className="row" key={number}>
                <span className="grow" dir="auto">
                  #{number} {cards.find((card) => card.number === number)?.title}
                </span>
                <IconButton
                  label={`Unlink card ${number}`}
                  icon={X}
                  size="sm"
                  onClick={() => setNumbers((now) => now.filter((each) => each !== number))}
                />
              </li>
            ))}
          </ul>
        )}
        <Field label="Add by number" hint="Several with spaces between, such as 12 31.">
          {(control) => (
            <input
              {...control}
              className="input"
              inputMode="numeric"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
      </div>
    </Dialog>
  );
}

/** Whole numbers in a text, in order, each once. */
export function numbersIn(text: string): number[] {
  return [...new Set((text.match(/\d{1,9}/g) ?? []).map(Number).filter((number) => number > 0))];
}
