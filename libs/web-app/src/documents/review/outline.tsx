import { useEffect, useState } from 'react';
import { Glyph } from '../../components/icon';
import type { Heading, Section, Thread } from '../shapes';
import type { DocumentSurface } from '../surface/document-surface';
import { motion } from '../surface/motion';

export interface OutlineProps {
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
  readonly threads: readonly Thread[];
  readonly surface: DocumentSurface | null;
  /** Inside the side panel it needs no head of its own. */
  readonly bare?: boolean;
}

/** The headings of the text, with approval and number of open threads. */
export function Outline({ headings, sections, threads, surface, bare }: OutlineProps) {
  const current = useCurrentHeading(headings, surface);
  const byHeading = new Map(sections.map((section) => [section.headingId, section]));
  const approved = sections.filter((section) => section.approvedByYou).length;
  const counts = countsOf(headings, threads, surface);
  const top = Math.min(...headings.map(({ level }) => level), 2);
  if (headings.length === 0) return bare ? <p className="hint">This text has no headings.</p> : null;
  return (
    <>
      {!bare && (
        <div className="outline__head">
          <span>Outline</span>
          {sections.length > 0 && (
            <span className="num">
              {approved} of {sections.length} approved
            </span>
          )}
        </div>
      )}
      <ol>
        {headings.map((heading) => {
          const section = byHeading.get(heading.id);
          const count = counts.get(heading.id) ?? 0;
          return (
            <li key={heading.id}>
              <a
                href={`#${heading.id}`}
                data-level={heading.level > top ? 3 : 2}
                data-approved={section?.approvedByYou || undefined}
                aria-current={heading.id === current || undefined}
                onClick={(event) => {
                  event.preventDefault();
                  goTo(heading.id);
                }}
              >
                {section && <Glyph name={section.approvedByYou ? 'done' : 'pending'} />}
                <span dir="auto">
                  {heading.text}
                  {section?.approvedByYou && <span className="visually-hidden">, approved</span>}
                </span>
                {count > 0 && (
                  <span className="count">
                    {count}
                    <span className="visually-hidden"> {count === 1 ? 'open thread' : 'open threads'}</span>
                  </span>
                )}
              </a>
            </li>
          );
        })}
      </ol>
    </>
  );
}

/** Brings a heading to the top and gives it the focus, so that reading goes on there. */
export function goTo(headingId: string): void {
  const heading = document.getElementById(headingId);
  if (!heading) return;
  heading.scrollIntoView({ block: 'start', behavior: motion() });
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

function countsOf(
  headings: readonly Heading[],
  threads: readonly Thread[],
  surface: DocumentSurface | null,
): Map<string, number> {
  const counts = new Map<string, number>();
  if (!surface || headings.length === 0) return counts;
  const starts = headings.flatMap(({ id }) => {
    const start = document.getElementById(id)?.getAttribute('data-start');
    return start ? [{ id, start: Number(start) }] : [];
  });
  for (const thread of threads) {
    if (!thread.anchor || thread.orphaned || thread.status === 'resolved') continue;
    const at = thread.anchor.start;
    const heading = starts.findLast(({ start }) => start <= at);
    if (heading) counts.set(heading.id, (counts.get(heading.id) ?? 0) + 1);
  }
  return counts;
}

function useCurrentHeading(headings: readonly Heading[], surface: DocumentSurface | null): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  useEffect(() => {
    if (!surface) return;
    let frame = 0;
    const elements = headings.flatMap(({ id }) => document.getElementById(id) ?? []);
    const find = () => {
      let low = 0;
      let high = elements.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (elements[middle]!.getBoundingClientRect().top <= 140) low = middle + 1;
        else high = middle;
      }
      setCurrent(elements[Math.max(0, low - 1)]?.id ?? null);
    };
    const soon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(find);
    };
    find();
    window.addEventListener('scroll', soon, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', soon);
    };
  }, [headings, surface]);
  return current;
}
