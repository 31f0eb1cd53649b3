import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { DocumentSurface } from '../surface/document-surface';
import { placeCards } from './placement';
import { useMedia, WIDE } from './use-media';

/** A card of the margin and the words it belongs to. */
export interface MarginItem {
  readonly id: string;
  /** Null for the whole document and for words that are gone. */
  readonly span: { readonly start: number; readonly end: number } | null;
  readonly node: ReactNode;
}

export interface ThreadMarginProps {
  readonly items: readonly MarginItem[];
  readonly activeId: string | null;
  readonly surface: DocumentSurface | null;
  readonly label: string;
}

/** Cards level with their passage on wide screens; one below the other on narrow ones. */
export function ThreadMargin({ items, activeId, surface, label }: ThreadMarginProps) {
  const box = useRef<HTMLUListElement>(null);
  const wide = useMedia(WIDE);
  const place = usePlacement(box, items, activeId, surface, wide);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cards themselves changed
  useLayoutEffect(() => place(), [items, activeId, surface, wide, place]);
  return (
    <ul className="threads" ref={box} aria-label={label} data-placed={wide || undefined}>
      {items.map((item) => (
        <li key={item.id} data-item={item.id} data-front={item.id === activeId || undefined}>
          {item.node}
        </li>
      ))}
    </ul>
  );
}

function usePlacement(
  box: RefObject<HTMLUListElement | null>,
  items: readonly MarginItem[],
  activeId: string | null,
  surface: DocumentSurface | null,
  wide: boolean,
): () => void {
  const latest = useRef({ items, activeId, surface, wide });
  latest.current = { items, activeId, surface, wide };
  const place = useRef(() => {
    const list = box.current;
    const now = latest.current;
    if (!list) return;
    const cards = [...list.children] as HTMLElement[];
    if (!now.wide || !now.surface) {
      list.style.minBlockSize = '';
      for (const card of cards) card.style.translate = '';
      return;
    }
    // Read everything first, then write: one layout for any number of cards.
    const shift = now.surface.root.getBoundingClientRect().top - list.getBoundingClientRect().top;
    const wishes = cards.map((card, index) => {
      const span = now.items[index]?.span;
      const top = span ? now.surface!.topOf(span.start, span.end) : null;
      return {
        id: card.dataset.item ?? '',
        wanted: top === null ? null : top + shift - 10,
        height: card.offsetHeight,
      };
    });
    const { cards: placed, bottom } = placeCards(wishes, now.activeId);
    placed.forEach(({ top, tether }, index) => {
      cards[index]!.style.translate = `0 ${Math.round(top)}px`;
      cards[index]!.style.setProperty('--tether', `${Math.round(tether)}px`);
      cards[index]!.dataset.tether = tether < -4 ? 'up' : tether > 4 ? 'down' : 'level';
    });
    list.style.minBlockSize = `${Math.round(bottom) + 80}px`;
    // The first placing must not glide in from the top.
    requestAnimationFrame(() => list.setAttribute('data-settled', ''));
  });

  useEffect(() => {
    const list = box.current;
    if (!list || !surface || !wide) return;
    let frame = 0;
    const soon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => place.current());
    };
    const watcher = new ResizeObserver(soon);
    watcher.observe(surface.root);
    const cards = new MutationObserver(() => {
      for (const card of list.children) watcher.observe(card);
      soon();
    });
    cards.observe(list, { childList: true });
    for (const card of list.children) watcher.observe(card);
    document.fonts?.ready.then(soon).catch(() => undefined);
    return () => {
      cancelAnimationFrame(frame);
      watcher.disconnect();
      cards.disconnect();
    };
  }, [box, surface, wide]);
  return place.current;
}
