import type { Action, Fact, SettingValue } from './api';

export interface ValueWords {
  readonly label: string;
  readonly hint: string;
  readonly group: 'work' | 'writes' | 'comments';
}

const WRITES = 'writes';

/** Names of the values that templates of Loupe have; a value of another template shows its key. */
const WORDS: Readonly<Record<string, ValueWords>> = {
  designReview: {
    label: 'Agents review draft designs',
    hint: 'A draft is looked at by an agent before you see it.',
    group: 'work',
  },
  agentReview: {
    label: 'Agents review pull requests',
    hint: 'An agent is asked to review each pull request.',
    group: 'work',
  },
  agentReviewFailOn: {
    label: 'An agent review fails on',
    hint: 'Findings of these severities fail the review.',
    group: 'work',
  },
  epicBranchPattern: {
    label: 'Branch of an epic',
    hint: 'Holds {number} once. Leave it empty for no epic branches.',
    group: 'work',
  },
  stuckDelayMinutes: {
    label: 'Minutes until a card counts as stuck',
    hint: 'For work that is ready or done while nothing happens.',
    group: 'work',
  },
  mergeMethod: { label: 'Merge method', hint: 'How pull requests are merged.', group: 'work' },
  approvalCoversConflictResolution: {
    label: 'An approval covers a resolved conflict',
    hint: 'Whether an approval still counts after a conflict with the base was resolved.',
    group: 'work',
  },
  writeMerge: { label: 'Merge pull requests', hint: '', group: WRITES },
  writeUpdateBranch: { label: 'Update branches from their base', hint: '', group: WRITES },
  writeChangeBase: { label: 'Change the base of stacked pull requests', hint: '', group: WRITES },
  writeOpenEpic: { label: 'Open the pull request of an epic', hint: '', group: WRITES },
  writeEpicDraftReady: { label: 'Turn epic pull requests into drafts and back', hint: '', group: WRITES },
  writeEpicClose: { label: 'Close the pull requests of a parked epic', hint: '', group: WRITES },
  writePostReview: {
    label: 'Post verdicts of the site review',
    hint: "Uses the reviewer's own account.",
    group: WRITES,
  },
  writeSiteReviewCheck: { label: 'Post the check of the site review', hint: '', group: WRITES },
  writeAgentReviewCheck: { label: 'Post the check of agent reviews', hint: '', group: WRITES },
  commentOnFix: { label: 'Comment when a fix is asked for', hint: '', group: 'comments' },
  commentOnOutdatedApproval: {
    label: 'Comment when an approval is outdated',
    hint: '',
    group: 'comments',
  },
};

export function valueWords(key: string): ValueWords {
  return WORDS[key] ?? { label: key, hint: '', group: 'work' };
}

/** A value as a person reads it. */
export function valueText(value: SettingValue): string {
  if (typeof value === 'boolean') return value ? 'On' : 'Off';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : value.join(', ');
  return text === '' ? 'empty' : text;
}

const SOURCES: Readonly<Record<string, string>> = {
  board: 'Board',
  documents: 'Documents',
  forge: 'Forge',
  workers: 'Workers',
  values: 'Values',
  app: 'App',
};

/** What a rule reads, source by source in a fixed order; conditions that this release lacks come last. */
export function factsBySource(facts: readonly Fact[]): { source: string; facts: readonly Fact[] }[] {
  const groups = [...Object.keys(SOURCES), null].map((source) => ({
    source: source === null ? 'Unknown' : (SOURCES[source] ?? source),
    facts: facts.filter((fact) => fact.source === source),
  }));
  return groups.filter((group) => group.facts.length > 0);
}

/** "not document.exists tech-design" */
export function factText({ fact, parameters, negated }: Fact): string {
  const shown = Object.values(parameters).map(String).join(' ');
  return [negated ? 'not' : '', fact, shown].filter(Boolean).join(' ');
}

type PlaceLabel = (place: string) => string;

/** What a rule does, in a few words. */
export function actionText(action: Action, placeLabel: PlaceLabel): string {
  const text = (key: string) => String(action[key] ?? '');
  switch (action.action) {
    case 'move':
      return `Moves the card to ${placeLabel(text('to'))}`;
    case 'request':
      return `Asks for ${text('kind')}`;
    case 'write':
      return action.fallback
        ? `Writes ${text('write')} to the forge, or asks for ${text('fallback')}`
        : `Writes ${text('write')} to the forge`;
    case 'pause':
      return `Pauses the card: ${text('reason')}`;
    case 'ask':
      return 'Asks the owner';
    case 'linkDocument':
      return `Links the ${text('tag')} documents of the parent`;
    case 'publishDocument':
      return `Sends the ${text('tag')} draft to review`;
    case 'detach':
      return 'Takes the card out of its epic';
    case 'evaluate':
      return 'Looks at the children again';
    default:
      return action.action;
  }
}

/** "10, 60 and 360 minutes" */
export function minutesText(minutes: readonly number[]): string {
  const last = minutes.at(-1);
  if (last === undefined) return '';
  const rest = minutes.slice(0, -1);
  return `${rest.length > 0 ? `${rest.join(', ')} and ` : ''}${last} ${last === 1 && rest.length === 0 ? 'minute' : 'minutes'}`;
}
