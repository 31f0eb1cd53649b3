import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { Chip } from '../../components/chip';
import { Icon } from '../../components/icon';
import { changed } from '../model/filters';
import { nextSort, rowFiltersOf } from '../model/row-filters';
import { CHIP, STATE } from '../model/words';
import type { CardType, Tile } from '../types';

export interface SortHeadProps {
  readonly name: string;
  readonly first: 'asc' | 'desc';
  /** Sorted by it when nothing is chosen. */
  readonly natural?: 'asc' | 'desc';
  readonly children: ReactNode;
  readonly priority?: '2' | '3';
}

/** The head of a column that sorts. */
export function SortHead({ name, first, natural, children, priority }: SortHeadProps) {
  const [search, setSearch] = useSearchParams();
  const filters = rowFiltersOf(search);
  const dir = filters.sort === name ? filters.dir || first : filters.sort === '' ? natural : undefined;
  return (
    <th
      scope="col"
      data-priority={priority}
      aria-sort={dir === 'asc' ? 'ascending' : dir === 'desc' ? 'descending' : undefined}
    >
      <button
        type="button"
        onClick={() =>
          setSearch(changed(search, { ...nextSort(filters, name, first), page: null }), { replace: true })
        }
      >
        {children}
        {dir && <Icon icon={dir === 'asc' ? ArrowUp : ArrowDown} size="sm" />}
      </button>
    </th>
  );
}

export function TypeCell({ type }: { readonly type: CardType }) {
  return (
    <span className="row nowrap" data-gap="tight">
      <span className="dot" data-colour={type.colour} />
      {type.label}
    </span>
  );
}

/** The epic of a card, by number and title. */
export function PartOfCell({ tile, priority }: { readonly tile: Tile; readonly priority: '2' | '3' }) {
  const none = tile.parentNumber === null;
  return (
    <td data-label="Part of" data-priority={priority} className="muted" data-none={none || undefined}>
      {!none && (
        <span className="part-of" title={tile.parentTitle ?? undefined}>
          <span className="num">#{tile.parentNumber}</span> <bdi>{tile.parentTitle}</bdi>
        </span>
      )}
    </td>
  );
}

export function StateCell({ tile }: { readonly tile: Tile }) {
  const state = tile.state && STATE[tile.state.kind];
  return (
    <span className="row" data-gap="tight">
      {state && (
        <span title={tile.state?.reason}>
          <Chip
            variant="plain"
            tone={state.tone}
            glyph={state.glyph}
            strong={tile.state?.kind === 'needs-you'}
          >
            {state.word}
          </Chip>
        </span>
      )}
      {tile.held && <Chip glyph="not-started">Unmanaged</Chip>}
      {tile.chips.map((chip) => (
        <Chip key={chip} tone={CHIP[chip].tone} glyph={CHIP[chip].glyph}>
          {CHIP[chip].word}
        </Chip>
      ))}
    </span>
  );
}

export interface PagesProps {
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
}

/** The pages of a list of cards. */
export function Pages({ page, perPage, total }: PagesProps) {
  const [search, setSearch] = useSearchParams();
  const last = Math.max(1, Math.ceil(total / perPage));
  if (last === 1) return null;
  const around = [...new Set([1, page - 1, page, page + 1, last])].filter(
    (each) => each >= 1 && each <= last,
  );
  const link = (target: number, words: ReactNode, label?: string) => (
    <a
      href={`?${changed(search, { page: String(target) })}`}
      aria-current={target === page && label ? 'page' : undefined}
      aria-label={label}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        setSearch(changed(search, { page: target === 1 ? null : String(target) }));
      }}
    >
      {words}
    </a>
  );
  return (
    <nav className="pager" aria-label="Pages">
      <span className="num">
        {(page - 1) * perPage + 1}–{Math.min(page * perPage, total)} of {total}
      </span>
      <span className="pager__pages">
        {page > 1 && link(page - 1, 'Back')}
        {around.map((each, index) => (
          <span key={each} className="row" data-gap="tight">
            {index > 0 && each - around[index - 1]! > 1 && <span aria-hidden="true">…</span>}
            {link(each, each, `Page ${each}`)}
          </span>
        ))}
        {page < last && link(page + 1, 'Next')}
      </span>
    </nav>
  );
}
