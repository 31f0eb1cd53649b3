import { Grid2x2, List } from 'lucide-react';
import { Select } from '../../components/field';
import { Icon } from '../../components/icon';
import { plural } from '../../components/plural';
import { WordsField } from '../../components/words-field';
import type { LibraryFilters } from '../shapes';
import type { Layout } from './use-layout';

export interface LibraryFilterBarProps {
  readonly filters: LibraryFilters;
  readonly layout: Layout;
  readonly total: number | null;
  readonly onChange: (part: Partial<LibraryFilters>, replace?: boolean) => void;
  readonly onLayout: (layout: Layout) => void;
}

/** What narrows the library, and how it is laid out. */
export function LibraryFilterBar({ filters, layout, total, onChange, onLayout }: LibraryFilterBarProps) {
  return (
    <search className="filters" aria-label="Artifacts">
      <WordsField
        label="Search artifacts"
        placeholder="Search by name"
        maxLength={200}
        value={filters.search}
        onChange={(words) => onChange({ search: words }, true)}
      />
      <div className="filters__set">
        <Select
          aria-label="Type"
          value={filters.artifactType}
          onChange={(event) => onChange({ artifactType: event.target.value })}
        >
          <option value="">Any type</option>
          <option value="app">App</option>
          <option value="markdown">Markdown</option>
          <option value="asset">Image or video</option>
        </Select>
        <Select
          aria-label="Origin"
          value={filters.origin}
          onChange={(event) => onChange({ origin: event.target.value })}
        >
          <option value="">Any origin</option>
          <option value="push">Pushed</option>
          <option value="import">Imported</option>
          <option value="empty">Started empty</option>
          <option value="p2c">From a prompt</option>
          <option value="l2c">From a web page</option>
          <option value="f2c">From Figma</option>
          <option value="duplicate">Copies</option>
        </Select>
        <Select
          aria-label="Sort"
          value={filters.sort}
          onChange={(event) => onChange({ sort: event.target.value === 'newest' ? 'newest' : 'changed' })}
        >
          <option value="changed">Recently changed</option>
          <option value="newest">Newest</option>
        </Select>
        <label className="row">
          <input
            className="check"
            type="checkbox"
            checked={filters.archived}
            onChange={(event) => onChange({ archived: event.target.checked })}
          />{' '}
          Archived too
        </label>
      </div>
      <span className="filters__result row">
        <span className="visually-hidden" role="status">
          {total !== null && plural(total, 'artifact')}
        </span>
        {/* biome-ignore lint/a11y/useSemanticElements: a group of toggle buttons, not a set of fields */}
        <span className="segmented" role="group" aria-label="Layout">
          <button
            type="button"
            aria-label="Cards"
            title="Cards"
            aria-pressed={layout === 'cards'}
            onClick={() => onLayout('cards')}
          >
            <Icon icon={Grid2x2} />
          </button>
          <button
            type="button"
            aria-label="Rows"
            title="Rows"
            aria-pressed={layout === 'rows'}
            onClick={() => onLayout('rows')}
          >
            <Icon icon={List} />
          </button>
        </span>
      </span>
    </search>
  );
}
