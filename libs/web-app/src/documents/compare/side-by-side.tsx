import { MoveVertical } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Icon } from '../../components/icon';
import { plural } from '../../components/plural';
import type { Diff } from '../shapes';
import { RenderedHtml } from '../surface/rendered-html';
import { dressStatic } from '../surface/static-dress';
import { foldUnchanged } from './change-steps';

export interface SideBySideProps {
  readonly diff: Diff;
  readonly current: number;
  readonly newest: number;
  readonly onPick: (index: number) => void;
}

/** Each block opposite the one it became. */
export function SideBySide({ diff, current, newest, onPick }: SideBySideProps) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const rows = useMemo(() => {
    let number = 0;
    return (diff.rows ?? []).map((row) => ({ ...row, number: row.changed ? ++number : 0 }));
  }, [diff.rows]);
  const parts = useMemo(() => foldUnchanged(rows, (row) => row.changed, 1), [rows]);
  return (
    <div className="compare__body compare__body--full">
      <p className="compare-why hint">Comments are hidden in this view. Choose Rendered to comment.</p>
      <div className="compare-row" data-head>
        <h2>Version {diff.from}</h2>
        <div className="compare-row__gutter" />
        <h2>
          Version {diff.to} {diff.to === newest && <span>current</span>}
        </h2>
      </div>
      {parts.map((part) =>
        part.kind === 'fold' && !unfolded.has(part.from) ? (
          <button
            key={part.from}
            type="button"
            className="diff__fold"
            onClick={() => setUnfolded((now) => new Set([...now, part.from]))}
          >
            <Icon icon={MoveVertical} size="sm" />
            Show {plural(part.rows.length, 'unchanged block')}
          </button>
        ) : (
          part.rows.map((row, index) => (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name and never move
              key={part.from + index}
              className="compare-row"
              data-change={row.changed || undefined}
              data-current={(row.changed && row.number === current + 1) || undefined}
              id={row.changed ? `change-${row.number}` : undefined}
            >
              <Side html={row.left} version={diff.from} missing={`Not in version ${diff.from}`} />
              <div className="compare-row__gutter">
                {row.changed && (
                  <a
                    href={`#change-${row.number}`}
                    aria-label={`Change ${row.number}`}
                    aria-current={row.number === current + 1 || undefined}
                    onClick={(event) => {
                      event.preventDefault();
                      onPick(row.number - 1);
                    }}
                  >
                    {row.number}
                  </a>
                )}
              </div>
              <Side html={row.right} version={diff.to} missing={`Removed in version ${diff.to}`} />
            </div>
          ))
        ),
      )}
    </div>
  );
}

function Side({
  html,
  version,
  missing,
}: {
  readonly html: string | null;
  readonly version: number;
  readonly missing: string;
}) {
  if (html === null) {
    return (
      <div className="prose" data-none>
        {missing}
      </div>
    );
  }
  return (
    <div className="prose doc-text">
      <span className="compare-row__label">Version {version}</span>
      <RenderedHtml className="compare-html" html={html} onReady={dressWhenShown} />
    </div>
  );
}

function dressWhenShown(root: HTMLElement | null): void {
  if (root) dressStatic(root);
}
