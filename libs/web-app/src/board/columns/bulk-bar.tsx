import { FolderInput, X } from 'lucide-react';
import { Button, IconButton } from '../../components/button';
import { Menu, MenuItem } from '../../components/menu';
import type { Column } from '../types';

export interface BulkBarProps {
  readonly count: number;
  readonly columns: readonly Column[];
  readonly busy: boolean;
  readonly onMove: (column: Column) => void;
  readonly onClear: () => void;
}

/** What can be done with the selected cards. Stands above the foot of the page. */
export function BulkBar({ count, columns, busy, onMove, onClear }: BulkBarProps) {
  const firstOpen = columns.find((column) => !column.backlog && !column.terminal);
  return (
    <section className="bulk-bar" aria-label="Selected cards">
      <span className="num" role="status">
        {count} selected
      </span>
      {firstOpen && (
        <Button size="sm" busy={busy} onClick={() => onMove(firstOpen)}>
          Move to {firstOpen.label}
        </Button>
      )}
      <Menu
        label="Move to"
        side="top"
        trigger={
          <Button size="sm" icon={FolderInput} busy={busy}>
            Move to
          </Button>
        }
      >
        {columns.map((column) => (
          <MenuItem key={column.columnId} onSelect={() => onMove(column)}>
            {column.label}
          </MenuItem>
        ))}
      </Menu>
      <IconButton label="Clear selection" icon={X} size="sm" onClick={onClear} />
    </section>
  );
}
