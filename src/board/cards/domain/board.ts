import { conflict, InvalidInput, Problems } from '#libs/kernel/errors.js';
import { BACKLOG_SLUG, readLabel } from './column-label.js';
import { COLUMNS_OF_BOARD, WINDOW_DAYS } from './limits.js';
import { freshColour, isColour } from './palette.js';
import { columnGone, refused } from './refusals.js';

/** A column of a board. */
export interface Column {
  readonly id: string;
  label: string;
  slug: string;
  position: number;
  readonly backlog: boolean;
  terminal: boolean;
  colour: string;
  revision: number;
  /** How many cards it holds. */
  readonly cards: number;
}

export interface BoardState {
  readonly id: string;
  readonly projectId: string;
  revision: number;
  columnsRevision: number;
  nextCardNumber: number;
  finishedWindowDays: number;
  readonly createdAt: Date;
}

/** The one board of a project: its columns and settings. Held under a lock of its row while it changes. */
export class Board {
  constructor(
    readonly state: BoardState,
    private list: Column[],
  ) {}

  get projectId(): string {
    return this.state.projectId;
  }

  /** In board order, Backlog first. */
  get columns(): readonly Column[] {
    return this.list;
  }

  get slugs(): string[] {
    return this.list.map((column) => column.slug);
  }

  get backlog(): Column {
    return this.list.find((column) => column.backlog)!;
  }

  columnById(id: string): Column | null {
    return this.list.find((column) => column.id === id) ?? null;
  }

  columnBySlug(slug: string): Column | null {
    return this.list.find((column) => column.slug === slug) ?? null;
  }

  /** @throws DomainError `column_gone`. */
  columnOf(id: string, argument = 'columnId'): Column {
    const column = this.columnById(id);
    if (!column) throw columnGone(argument);
    return column;
  }

  takeNumber(): number {
    const number = this.state.nextCardNumber;
    this.state.nextCardNumber += 1;
    return number;
  }

  /** Appends a column. @throws InvalidInput; DomainError `column_limit`. */
  addColumn(id: string, label: string, colour: string | null, random: number): Column {
    const problems = new Problems();
    const named = readLabel(problems, label, this.slugs);
    if (colour !== null && !isColour(colour)) problems.add('colour', 'must be a key of the palette.');
    problems.throwIfAny();
    if (this.list.length >= COLUMNS_OF_BOARD)
      throw refused(
        'column_limit',
        'label',
        `A board holds at most ${COLUMNS_OF_BOARD} columns. Delete one first.`,
      );
    const column: Column = {
      id,
      ...named,
      position: this.list.length,
      backlog: false,
      terminal: false,
      colour:
        colour ??
        freshColour(
          this.list.map((other) => other.colour),
          random,
        ),
      revision: 0,
      cards: 0,
    };
    this.list.push(column);
    return column;
  }

  /**
   * Changes a column. `place` says whether a slot of the workflow is linked to it.
   * @returns what changed; nothing when all is as it was.
   * @throws InvalidInput; DomainError `backlog`, `last_terminal`, `workflow_place`.
   */
  configureColumn(
    column: Column,
    change: {
      readonly label?: string | null;
      readonly terminal?: boolean | null;
      readonly colour?: string | null;
    },
    place: boolean,
  ): { readonly changed: string[]; readonly oldSlug: string; readonly wasTerminal: boolean } {
    const { slug: oldSlug, terminal: wasTerminal } = column;
    if (column.backlog) throw refused('backlog', 'slug', 'Backlog cannot be changed.');
    const problems = new Problems();
    const others = this.list.filter((other) => other !== column).map((other) => other.slug);
    const named = typeof change.label === 'string' ? readLabel(problems, change.label, others) : null;
    if (typeof change.colour === 'string' && !isColour(change.colour))
      problems.add('colour', 'must be a key of the palette.');
    problems.throwIfAny();
    if (change.terminal === false && column.terminal) this.requireOtherTerminal(column, 'terminal');
    if (change.terminal === true && !column.terminal && place)
      throw refused(
        'workflow_place',
        'terminal',
        `Column "${column.slug}" is a place of the workflow and cannot be terminal.`,
      );
    const next = {
      label: named?.label ?? column.label,
      slug: named?.slug ?? column.slug,
      terminal: change.terminal ?? column.terminal,
      colour: change.colour ?? column.colour,
    };
    const changed = (['label', 'terminal', 'colour'] as const).filter((key) => next[key] !== column[key]);
    Object.assign(column, next);
    return { changed, oldSlug, wasTerminal };
  }

  /** @throws InvalidInput that names what is missing, unknown or repeated. */
  reorder(order: readonly string[], by: 'slug' | 'id', argument: string): boolean {
    const own = this.list.filter((column) => !column.backlog).map((column) => column[by]);
    const missing = own.filter((key) => !order.includes(key));
    const unknown = [...new Set(order.filter((key) => !own.includes(key)))];
    const repeated = [...new Set(order.filter((key, at) => own.includes(key) && order.indexOf(key) !== at))];
    if (missing.length + unknown.length + repeated.length > 0) {
      const parts = [
        ...(missing.length ? [`Missing: ${missing.join(', ')}.`] : []),
        ...(unknown.length ? [`Unknown: ${unknown.join(', ')}.`] : []),
        ...(repeated.length ? [`Repeated: ${repeated.join(', ')}.`] : []),
      ];
      throw new InvalidInput([
        {
          argument,
          sentence: `must name every column except ${BACKLOG_SLUG} exactly once. ${parts.join(' ')}`,
        },
      ]);
    }
    const before = this.list.map((column) => column.id).join();
    this.list = [this.backlog, ...order.map((key) => this.list.find((column) => column[by] === key)!)];
    this.closeGaps();
    return this.list.map((column) => column.id).join() !== before;
  }

  /** @throws DomainError `backlog`, `last_terminal`. */
  removeColumn(column: Column): void {
    if (column.backlog) throw refused('backlog', 'slug', 'Backlog cannot be deleted.');
    this.requireOtherTerminal(column, 'slug');
    this.list = this.list.filter((other) => other !== column);
    this.closeGaps();
  }

  /** @throws InvalidInput. */
  showFinishedFor(days: number): boolean {
    if (!Number.isInteger(days) || days < WINDOW_DAYS.min || days > WINDOW_DAYS.max)
      throw new InvalidInput([
        {
          argument: 'finishedWindowDays',
          sentence: `must be a whole number from ${WINDOW_DAYS.min} to ${WINDOW_DAYS.max}.`,
        },
      ]);
    const changed = this.state.finishedWindowDays !== days;
    this.state.finishedWindowDays = days;
    return changed;
  }

  /** A form was filled in on an older state. @throws DomainError `columns_changed` with the columns as they are. */
  requireFresh(seen: number | null, present: number, current: unknown): void {
    if (seen === null || seen === present) return;
    throw conflict('columns_changed', 'The columns changed since you opened this. Look at them again.', {
      current,
    });
  }

  private requireOtherTerminal(column: Column, argument: string): void {
    if (!column.terminal || this.list.some((other) => other.terminal && other !== column)) return;
    throw refused(
      'last_terminal',
      argument,
      argument === 'terminal'
        ? 'The last terminal column must stay terminal. Make another column terminal first.'
        : 'The last terminal column cannot be deleted. Make another column terminal first.',
    );
  }

  private closeGaps(): void {
    this.list.forEach((column, position) => {
      column.position = position;
    });
  }
}
