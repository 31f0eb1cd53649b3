import {
  type ReactNode,
  type RefObject,
  startTransition,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { DocumentSurface } from '../surface/document-surface';
import { placeCards } from './placement';
import { useMedia, WIDE } from './use-media';

/** A card of the margin and the words it belongs to. */
export interface MarginItem {
  readonly id: string;
  /** Null for the whole document and for words that are gone. */
  readonly span: { readonly start: number; readonly end: number } | null;
  readonly node: ReactNode;
  /** Stands for the card while it is far from the screen: its words without its controls. */
  readonly far?: ReactNode;
}

/** From this many cards on, only those near the screen have their controls. */
const MANY = 40;

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
        <MarginCard key={item.id} item={item} front={item.id === activeId} lazy={items.length >= MANY} />
      ))}
    </ul>
  );
}

interface MarginCardProps {
  readonly item: MarginItem;
  readonly front: boolean;
  readonly lazy: boolean;
}

function MarginCard({ item, front, lazy }: MarginCardProps) {
  const ref = useRef<HTMLLIElement>(null);
  const [near, setNear] = useState(false);
  const waits = lazy && !near && !front && item.far !== undefined;
  useEffect(() => {
    const element = ref.current;
    if (!waits || !element) return;
    const watcher = new IntersectionObserver(
      ([entry]) => {
        // Scrolling goes before: the controls come in slices between its frames.
        if (entry?.isIntersecting) startTransition(() => setNear(true));
      },
      { rootMargin: '900px' },
    );
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [waits]);
  return (
    <li ref={ref} data-item={item.id} data-front={front || undefined}>
      {waits ? item.far : item.node}
    </li>
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
    // A banner that comes or goes above the text moves it without changing its size.
    const head = surface.root.closest('article')?.querySelector('.doc-head');
    if (head) watcher.observe(head);
    const cards = new MutationObserver(() => {
      for (const card of list.children) watcher.observe(card);
      soon();
    });
    cards.observe(list, { childList: true });
    for (const card of list.children) watcher.observe(card);
    // In a long text what is off screen has only a rough place: find the exact one when the scrolling rests.
    let rest: ReturnType<typeof setTimeout>;
    const onScroll = () => {
      clearTimeout(rest);
      rest = setTimeout(soon, 120);
    };
    if (surface.isLarge) window.addEventListener('scroll', onScroll, { passive: true });
    document.fonts?.ready.then(soon).catch(() => undefined);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(rest);
      window.removeEventListener('scroll', onScroll);
      watcher.disconnect();
      cards.disconnect();
    };
  }, [box, surface, wide]);
  return place.current;
}
