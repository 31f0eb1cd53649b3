import { BACKLOG, type PlaceName, TERMINAL } from './places.js';
import type { TemplateCardType, WorkflowTemplate } from './workflow-template.js';

interface Place {
  readonly columnId: string;
  readonly backlog: boolean;
  readonly terminal: boolean;
}

/** How a project stands to its workflow: the template it is bound to, the columns of the slots, the switch. */
export class WorkflowOfBoard {
  private readonly slotByColumn: ReadonlyMap<string, string>;

  constructor(
    private readonly content: WorkflowTemplate,
    private readonly binding: {
      /** False for a project without a template, which borrows the types of `content`. */
      readonly bound: boolean;
      readonly switchedOn: boolean;
      /** Column ids by slot; an empty slot has null or no entry. */
      readonly columns: ReadonlyMap<string, string | null>;
    },
  ) {
    this.slotByColumn = new Map(
      [...binding.columns].flatMap(([slot, column]) => (column === null ? [] : [[column, slot] as const])),
    );
  }

  get template(): { readonly key: string; readonly version: number } | null {
    return this.binding.bound ? { key: this.content.key, version: this.content.version } : null;
  }

  get isOn(): boolean {
    return this.binding.bound && this.binding.switchedOn;
  }

  get types(): readonly TemplateCardType[] {
    return this.content.types;
  }

  get defaultType(): string {
    return this.content.defaultType;
  }

  typeOf(key: string): TemplateCardType {
    return (
      this.content.types.find((type) => type.key === key) ?? {
        key,
        label: key,
        colour: 'slate',
        children: false,
        lane: false,
      }
    );
  }

  hasType(key: string): boolean {
    return this.content.types.some((type) => type.key === key);
  }

  slotOfColumn(columnId: string): string | null {
    return this.slotByColumn.get(columnId) ?? null;
  }

  columnOfSlot(slot: string): string | null {
    return this.binding.columns.get(slot) ?? null;
  }

  hasRule(ruleId: string): boolean {
    return this.binding.bound && this.content.rules.some((rule) => rule.id === ruleId);
  }

  get limitsMoves(): boolean {
    return this.isOn && this.content.manualMoves !== 'any';
  }

  allowsMove(from: Place, to: Place, mover: 'anyone' | 'parent-run' = 'anyone'): boolean {
    const moves = this.content.manualMoves;
    if (!this.isOn || moves === 'any' || from.columnId === to.columnId) return true;
    const [source, target] = [this.placeOf(from), this.placeOf(to)];
    // From one terminal column to another the work stays at the same place.
    if (source !== null && source === target) return true;
    return moves.some(
      (move) => move.from === source && move.to === target && (move.by === null || move.by === mover),
    );
  }

  /** Null for a column that is no place of the template: no listed move begins or ends there. */
  private placeOf({ columnId, backlog, terminal }: Place): PlaceName | null {
    if (backlog) return BACKLOG;
    return terminal ? TERMINAL : this.slotOfColumn(columnId);
  }
}
