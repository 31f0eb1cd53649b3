import { Field, Select } from '../../components/field';
import { type CardDraft, LINK_WORDS } from '../model/card-form';
import type { CardType, Column, LinkKind } from '../types';
import { CardPicker, Chosen, DocumentPicker } from './pickers';

export interface CardFormProps {
  readonly draft: CardDraft;
  readonly onChange: (draft: CardDraft) => void;
  readonly fields: Readonly<Record<string, string>>;
  readonly types: readonly CardType[];
  readonly columns: readonly Column[];
  /** The card itself, which cannot be its own parent or link. */
  readonly self: string | null;
  readonly autoFocus?: boolean;
}

/** The fields of a card, for making and for changing one. */
export function CardForm({ draft, onChange, fields, types, columns, self, autoFocus }: CardFormProps) {
  const set = (part: Partial<CardDraft>) => onChange({ ...draft, ...part });
  const own = self === null ? [] : [self];
  const known = types.some((type) => type.key === draft.type);
  const parentable = !types.find((type) => type.key === draft.type)?.children;
  return (
    <div className="card-form">
      <Field label="Title" error={fields.title}>
        {(control) => (
          <input
            {...control}
            className="input"
            type="text"
            dir="auto"
            maxLength={255}
            autoComplete="off"
            // biome-ignore lint/a11y/noAutofocus: the form was just asked for
            autoFocus={autoFocus}
            value={draft.title}
            onChange={(event) => set({ title: event.target.value })}
          />
        )}
      </Field>
      <Field label="Text" hint="Markdown" error={fields.body}>
        {(control) => (
          <textarea
            {...control}
            className="textarea"
            rows={10}
            dir="auto"
            value={draft.body}
            onChange={(event) => set({ body: event.target.value })}
          />
        )}
      </Field>
      <div className="card-form__pair">
        <Field label="Type" error={fields.type}>
          {(control) => (
            <Select {...control} value={draft.type} onChange={(event) => set({ type: event.target.value })}>
              {!known && <option value={draft.type}>{draft.type}</option>}
              {types.map((type) => (
                <option key={type.key} value={type.key}>
                  {type.label}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Column" error={fields.columnId ?? fields.status}>
          {(control) => (
            <Select
              {...control}
              value={draft.columnId}
              onChange={(event) => set({ columnId: event.target.value })}
            >
              {columns.map((column) => (
                <option key={column.columnId} value={column.columnId}>
                  {column.label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <Field
        label="Part of"
        hint={parentable ? 'A card that groups others' : 'A card that groups others has no parent itself'}
        error={fields.parentCardId}
      >
        {(control) =>
          draft.parent ? (
            <ul className="chosen-list">
              <Chosen label={`card ${draft.parent.number}`} onRemove={() => set({ parent: null })}>
                #{draft.parent.number} {draft.parent.title}
              </Chosen>
            </ul>
          ) : (
            <CardPicker control={control} epics exclude={own} onPick={(parent) => set({ parent })} />
          )
        }
      </Field>
      {(fields.childDesign || draft.childDesign) && (
        <Field label="Design" error={fields.childDesign}>
          {(control) => (
            <Select
              {...control}
              value={draft.childDesign ?? ''}
              onChange={(event) =>
                set({ childDesign: (event.target.value || undefined) as CardDraft['childDesign'] })
              }
            >
              <option value="">Choose</option>
              <option value="inherit">Use the tech design of the parent</option>
              <option value="own">Write one of its own first</option>
            </Select>
          )}
        </Field>
      )}
      <fieldset className="card-form__set">
        <legend className="label">Linked cards</legend>
        {draft.links.length > 0 && (
          <ul className="chosen-list">
            {draft.links.map((link) => (
              <Chosen
                key={link.cardId}
                label={`card ${link.number}`}
                onRemove={() => set({ links: draft.links.filter((each) => each !== link) })}
              >
                <Select
                  size="sm"
                  aria-label={`How card ${link.number} is linked`}
                  value={link.kind}
                  onChange={(event) =>
                    set({
                      links: draft.links.map((each) =>
                        each === link ? { ...link, kind: event.target.value as LinkKind } : each,
                      ),
                    })
                  }
                >
                  {Object.entries(LINK_WORDS).map(([kind, words]) => (
                    <option key={kind} value={kind}>
                      {words}
                    </option>
                  ))}
                </Select>{' '}
                #{link.number} {link.title}
              </Chosen>
            ))}
          </ul>
        )}
        <Field
          label={<span className="visually-hidden">Add a linked card</span>}
          error={first(fields, 'relatedCards')}
        >
          {(control) => (
            <CardPicker
              control={control}
              exclude={[...own, ...draft.links.map((link) => link.cardId)]}
              onPick={(card) =>
                set({
                  links: [
                    ...draft.links,
                    { cardId: card.cardId, number: card.number, title: card.title, kind: 'relates-to' },
                  ],
                })
              }
            />
          )}
        </Field>
      </fieldset>
      <Field label="Pull requests" hint="One address a line" error={first(fields, 'pullRequestUrls')}>
        {(control) => (
          <textarea
            {...control}
            className="textarea"
            rows={2}
            spellCheck={false}
            value={draft.pullRequests}
            onChange={(event) => set({ pullRequests: event.target.value })}
          />
        )}
      </Field>
      <fieldset className="card-form__set">
        <legend className="label">Documents</legend>
        {draft.documents.length > 0 && (
          <ul className="chosen-list">
            {draft.documents.map((each) => (
              <Chosen
                key={each.documentId}
                label={each.title}
                onRemove={() => set({ documents: draft.documents.filter((other) => other !== each) })}
              >
                {each.title}
              </Chosen>
            ))}
          </ul>
        )}
        <Field
          label={<span className="visually-hidden">Add a document</span>}
          error={first(fields, 'documentIds')}
        >
          {(control) => (
            <DocumentPicker
              control={control}
              exclude={draft.documents.map((each) => each.documentId)}
              onPick={(document) => set({ documents: [...draft.documents, document] })}
            />
          )}
        </Field>
      </fieldset>
    </div>
  );
}

/** The sentence for a list, or for the first of its entries that was refused. */
function first(fields: Readonly<Record<string, string>>, name: string): string | null {
  const key = Object.keys(fields).find((each) => each === name || each.startsWith(`${name}[`));
  return key ? (fields[key] ?? null) : null;
}
