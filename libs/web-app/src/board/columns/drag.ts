import { createStore, type Store } from '../../app/store';
import { type DropPlace, indexAt, scrollSpeed } from '../model/place';
import { marks, NOTHING } from './board-marks';

export interface DragRules {
  /** The place as the card may take it, or null. */
  readonly allow: (cardIds: readonly string[], place: DropPlace) => DropPlace | null;
  readonly drop: (cardIds: readonly string[], place: DropPlace) => void;
  /** Nothing of others is shown while this runs; gives the function that ends it. */
  readonly hold: () => () => void;
}

/**
 * One drag of one or more cards, whatever moves them: the mouse or a finger. Where they would land is found below the
 * pointer once a frame; only the cell concerned is drawn again.
 */
export class Drag {
  readonly place: Store<DropPlace | null> = createStore<DropPlace | null>(null);
  private cardIds: readonly string[] = [];
  private release: (() => void) | null = null;
  private point: { x: number; y: number } | null = null;
  private frame = 0;

  constructor(private readonly rules: DragRules) {}

  get isRunning(): boolean {
    return this.cardIds.length > 0;
  }

  carries(cardId: string): boolean {
    return this.cardIds.includes(cardId);
  }

  start(cardIds: readonly string[]): void {
    this.cardIds = cardIds;
    this.release = this.rules.hold();
    // The browser takes its picture of the tile first; a tile that fades before would be faint in it.
    requestAnimationFrame(() => {
      if (this.isRunning) marks.set((now) => ({ ...now, dragged: new Set(this.cardIds) }));
    });
    const tick = () => {
      if (!this.isRunning) return;
      if (this.point) {
        this.look(this.point.x, this.point.y);
        scrollNear(this.point.x, this.point.y);
      }
      this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }

  move(x: number, y: number): void {
    this.point = { x, y };
  }

  /** Lets go: `commit` false puts everything back. */
  end(commit: boolean): void {
    if (!this.isRunning) return;
    if (commit && this.point) this.look(this.point.x, this.point.y);
    const place = this.place.get();
    const ids = this.cardIds;
    cancelAnimationFrame(this.frame);
    this.cardIds = [];
    this.point = null;
    this.place.set(null);
    marks.set((now) => ({ ...now, dragged: NOTHING }));
    if (commit && place) this.rules.drop(ids, place);
    this.release?.();
    this.release = null;
  }

  private look(x: number, y: number): void {
    const found = placeBelow(x, y, this.cardIds);
    const place = found && this.rules.allow(this.cardIds, found);
    const now = this.place.get();
    if (!same(now, place)) this.place.set(place);
  }
}

function same(a: DropPlace | null, b: DropPlace | null): boolean {
  if (a === b) return true;
  if (!a || !b || a.kind !== b.kind) return false;
  if (a.kind !== 'cell' || b.kind !== 'cell') return true;
  return a.laneId === b.laneId && a.columnId === b.columnId && a.index === b.index;
}

function placeBelow(x: number, y: number, dragged: readonly string[]): DropPlace | null {
  const below = document.elementFromPoint(x, y);
  const target = below?.closest<HTMLElement>('[data-drop]');
  if (!target) return null;
  if (target.dataset.drop === 'backlog') return { kind: 'backlog' };
  const { lane = '', column } = target.dataset;
  if (!column) return null;
  const boxes: DOMRect[] = [];
  for (const slot of target.querySelectorAll<HTMLElement>('[data-slot]')) {
    if (!dragged.includes(slot.dataset.slot ?? '')) boxes.push(slot.getBoundingClientRect());
  }
  return { kind: 'cell', laneId: lane, columnId: column, index: indexAt(boxes, y) };
}

function scrollNear(x: number, y: number): void {
  const below = document.elementFromPoint(x, y);
  const list = below?.closest('[data-drop]')?.querySelector<HTMLElement>('[data-scrolls]');
  const board = document.querySelector<HTMLElement>('.board__scroll');
  if (board) {
    const box = board.getBoundingClientRect();
    if (y > box.top - 40) board.scrollLeft += scrollSpeed(x, box.left, box.right);
    if (!list || list.scrollHeight <= list.clientHeight)
      board.scrollTop += scrollSpeed(y, box.top, box.bottom);
  }
  if (list && list.scrollHeight > list.clientHeight) {
    const box = list.getBoundingClientRect();
    list.scrollTop += scrollSpeed(y, box.top, box.bottom);
  }
}
