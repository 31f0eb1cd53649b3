import { MoveVertical } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Icon } from '../../components/icon';
import { plural } from '../../components/plural';
import type { Diff } from '../shapes';
import { motion } from '../surface/motion';
import { foldUnchanged } from './change-steps';

/** The lines of both sources, with their headings beside them. */
export function MarkdownLines({ diff, current }: { readonly diff: Diff; readonly current: number }) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const lines = useMemo(() => {
    let number = 0;
    let before = false;
    return (diff.lines ?? []).map((line) => {
      const changed = line.kind !== 'same';
      const first = changed && !before;
      before = changed;
      if (first) number += 1;
      return { ...line, number: changed ? number : 0, first };
    });
  }, [diff.lines]);
  const parts = useMemo(() => foldUnchanged(lines, (line) => line.kind !== 'same', 3, 6), [lines]);
  const headings = lines.filter(({ text }) => /^#{1,6}\s/.test(text));
  return (
    <div className="compare__grid">
      <nav className="outline" aria-label="Headings">
        <div className="outline__head">
          <span>Heading lines</span>
          <span className="num">{headings.length}</span>
        </div>
        <ol>
          {headings.map((line) => (
            <li key={`${line.kind}-${line.left}-${line.right}`}>
              <a
                href={`#${lineId(line)}`}
                data-level={/^##?\s/.test(line.text) ? 2 : 3}
                onClick={(event) => {
                  event.preventDefault();
                  setUnfolded(new Set(parts.map((part) => part.from)));
                  requestAnimationFrame(() =>
                    document
                      .getElementById(lineId(line))
                      ?.scrollIntoView({ block: 'center', behavior: motion() }),
                  );
                }}
              >
                <span dir="auto">
                  {line.kind === 'removed' ? <del>{headingText(line.text)}</del> : headingText(line.text)}
                  {line.kind === 'removed' && <span className="visually-hidden">, removed</span>}
                  {line.kind === 'added' && <span className="visually-hidden">, added</span>}
                </span>
              </a>
            </li>
          ))}
        </ol>
      </nav>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard */}
      <section className="diff diff--page" tabIndex={0} aria-label="Changed lines">
        {parts.map((part) =>
          part.kind === 'fold' && !unfolded.has(part.from) ? (
            <button
              key={part.from}
              type="button"
              className="diff__fold"
              onClick={() => setUnfolded((now) => new Set([...now, part.from]))}
            >
              <Icon icon={MoveVertical} size="sm" />
              Show {plural(part.rows.length, 'unchanged line')}
            </button>
          ) : (
            part.rows.map((line) => (
              <div
                key={`${line.kind}-${line.left}-${line.right}`}
                className="diff__line"
                id={line.first ? `change-${line.number}` : lineId(line)}
                data-change={line.kind === 'added' ? 'add' : line.kind === 'removed' ? 'cut' : undefined}
                data-current-change={(line.number > 0 && line.number === current + 1) || undefined}
              >
                <span>{line.left}</span>
                <span>{line.right}</span>
                <span>{line.kind === 'added' ? '+' : line.kind === 'removed' ? '−' : ' '}</span>
                <span dir="auto">{line.text || ' '}</span>
              </div>
            ))
          ),
        )}
      </section>
    </div>
  );
}

function lineId(line: { readonly left: number | null; readonly right: number | null }): string {
  return `line-${line.left ?? 'x'}-${line.right ?? 'x'}`;
}

function headingText(line: string): string {
  return line.replace(/^#{1,6}\s+/, '');
}
