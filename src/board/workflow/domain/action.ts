import { type Condition, type ConditionReading, parseCondition, refuseUnknown } from './condition.js';
import type { DataReader } from './data-reader.js';
import { BACKLOG, FORGE_WRITES, type PlaceName, TERMINAL } from './places.js';

/** What a rule does when its condition turns true (`workflow.md` 3.2). */
export type Action =
  | { readonly action: 'move'; readonly to: PlaceName; readonly from: PlaceName | null }
  | {
      readonly action: 'request';
      readonly kind: string;
      readonly limit: number | null;
      readonly refillWhen: 'pr-healthy' | null;
      readonly document: { readonly tag: string; readonly status: string | null } | null;
    }
  | {
      readonly action: 'write';
      readonly write: string;
      readonly fallback: string | null;
      readonly required: boolean;
    }
  | { readonly action: 'pause'; readonly reason: string; readonly until: Condition }
  | { readonly action: 'ask'; readonly question: string; readonly options: readonly AskOption[] }
  | { readonly action: 'linkDocument'; readonly from: 'parent'; readonly tag: string }
  | { readonly action: 'detach' }
  | { readonly action: 'publishDocument'; readonly tag: string }
  | { readonly action: 'evaluate'; readonly cards: 'children' };

export interface AskOption {
  readonly label: string;
  readonly actions: readonly Action[];
}

const WORD = { form: /^[a-z0-9][a-z0-9-]*$/, says: 'must be of lower-case letters, digits and -.' };
const DOCUMENT_STATUSES = ['draft', 'in-review', 'changes-requested', 'approved'] as const;
const NOTHING: Action = { action: 'detach' };

/** The actions of `then`: one, or a list that is not empty. */
export function parseActions(data: DataReader, reading: ConditionReading): Action[] {
  if (!Array.isArray(data.value)) return [parseAction(data, reading)];
  const list = data.list();
  if (list.length === 0) data.fault('must hold at least one action.');
  return list.map((one) => parseAction(one, reading));
}

function parseAction(data: DataReader, reading: ConditionReading): Action {
  const entries = data.entries();
  const [first] = entries;
  if (!first || entries.length > 1) {
    data.fault('must hold exactly one action.');
    return NOTHING;
  }
  const [name, inner] = first;
  const parse = Object.hasOwn(PARSERS, name) ? PARSERS[name] : undefined;
  if (parse) return parse(inner, reading);
  inner.fault(`no action is called "${name}". Use one of: ${Object.keys(PARSERS).join(', ')}.`);
  return NOTHING;
}

type Parse = (data: DataReader, reading: ConditionReading) => Action;

const PARSERS: Readonly<Record<string, Parse>> = {
  move: (data, { declared }) => {
    const { to, from } = data.fields(['to'], ['from']);
    const places = new Set([...declared.slots, BACKLOG, TERMINAL]);
    refuseUnknown(to, places, 'place');
    refuseUnknown(from, places, 'place');
    return { action: 'move', to: String(to.value), from: from.absent ? null : String(from.value) };
  },
  request: (data, { declared }) => {
    const fields = data.fields(['kind'], ['limit', 'refillWhen', 'document']);
    refuseUnknown(fields.kind, declared.kinds, 'kind');
    return {
      action: 'request',
      kind: String(fields.kind.value),
      limit: fields.limit.absent ? null : fields.limit.whole(1, 100),
      refillWhen: fields.refillWhen.absent ? null : fields.refillWhen.oneOf(['pr-healthy'], 'pr-healthy'),
      document: fields.document.absent ? null : parseDocument(fields.document),
    };
  },
  write: (data, { declared }) => {
    const fields = data.fields(['write'], ['fallback', 'required']);
    if (!fields.write.absent && !FORGE_WRITES.includes(String(fields.write.value))) {
      fields.write.fault(`is no known write. Use one of: ${FORGE_WRITES.join(', ')}.`);
    }
    refuseUnknown(fields.fallback, declared.kinds, 'kind');
    return {
      action: 'write',
      write: String(fields.write.value),
      fallback: fields.fallback.absent ? null : String(fields.fallback.value),
      required: fields.required.yesNo(false),
    };
  },
  pause: (data, reading) => {
    const { reason, until } = data.fields(['reason', 'until']);
    return { action: 'pause', reason: reason.text(500), until: parseCondition(until, reading) };
  },
  ask: (data, reading) => {
    const { question, options } = data.fields(['question', 'options']);
    const list = options.list();
    if (list.length < 2 || list.length > 4) options.fault('must hold 2 to 4 options.');
    return {
      action: 'ask',
      question: question.text(500),
      options: list.map((one) => parseOption(one, reading)),
    };
  },
  linkDocument: (data) => {
    const { from, tag } = data.fields(['from', 'tag']);
    return { action: 'linkDocument', from: from.oneOf(['parent'], 'parent'), tag: tag.text(64, WORD) };
  },
  detach: (data) => {
    if (data.value !== null) data.fields([]);
    return { action: 'detach' };
  },
  publishDocument: (data) => ({ action: 'publishDocument', tag: data.fields(['tag']).tag.text(64, WORD) }),
  evaluate: (data) => {
    const { cards } = data.fields(['cards']);
    return { action: 'evaluate', cards: cards.oneOf(['children'], 'children') };
  },
};

function parseDocument(data: DataReader): { tag: string; status: string | null } {
  const { tag, status } = data.fields(['tag'], ['status']);
  return {
    tag: tag.text(64, WORD),
    status: status.absent ? null : status.oneOf(DOCUMENT_STATUSES, 'draft'),
  };
}

function parseOption(data: DataReader, reading: ConditionReading): AskOption {
  const fields = data.fields(['label', 'then']);
  return { label: fields.label.text(100), actions: parseActions(fields.then, reading) };
}
