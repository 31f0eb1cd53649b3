import { Button } from './button';

export interface PagerProps {
  /** From 1 on. */
  readonly page: number;
  readonly hasMore: boolean;
  readonly onPage: (page: number) => void;
  /** Which rows of how many are shown, where that is known. */
  readonly shown?: { readonly perPage: number; readonly rows: number; readonly total: number };
}

/** Leads through pages of a list that begins with the newest. Not there while one page holds everything. */
export function Pager({ page, hasMore, onPage, shown }: PagerProps) {
  if (page === 1 && !hasMore) return null;
  const before = shown && (page - 1) * shown.perPage;
  return (
    <nav className="pager" aria-label="Pages">
      <Button disabledReason={page === 1 ? 'This is the first page.' : null} onClick={() => onPage(page - 1)}>
        Newer
      </Button>
      <span className="num">
        {shown && before !== undefined
          ? `${before + 1}–${before + shown.rows} of ${shown.total.toLocaleString('en-GB')}`
          : `Page ${page}`}
      </span>
      <Button disabledReason={hasMore ? null : 'This is the last page.'} onClick={() => onPage(page + 1)}>
        Older
      </Button>
    </nav>
  );
}
