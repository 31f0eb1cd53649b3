import { Link } from 'react-router';
import type { ListFilters } from '../shapes';
import { searchOf } from './list-filters';

export interface PagerProps {
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly filters: ListFilters;
}

/** The pages of the list: the first, the last, and those round this one. */
export function Pager({ page, perPage, total, filters }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / perPage));
  if (last === 1) return null;
  const around = [...new Set([1, page - 1, page, page + 1, last])].filter(
    (each) => each >= 1 && each <= last,
  );
  const to = (target: number) => `?${searchOf({ ...filters, page: target })}`;
  return (
    <nav className="pager" aria-label="Pages">
      <span className="num">
        {(page - 1) * perPage + 1}–{Math.min(page * perPage, total)} of {total}
      </span>
      <span className="pager__pages">
        {page > 1 && <Link to={to(page - 1)}>Back</Link>}
        {around.map((each, index) => (
          <span key={each} className="row" data-gap="tight">
            {index > 0 && each - around[index - 1]! > 1 && <span aria-hidden="true">…</span>}
            <Link to={to(each)} aria-current={each === page ? 'page' : undefined} aria-label={`Page ${each}`}>
              {each}
            </Link>
          </span>
        ))}
        {page < last && <Link to={to(page + 1)}>Next</Link>}
      </span>
    </nav>
  );
}
