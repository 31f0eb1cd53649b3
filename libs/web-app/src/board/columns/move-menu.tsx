import { ArrowDown, ArrowDownToLine, ArrowUp, ArrowUpToLine, ChevronRight } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Icon } from '../../components/icon';
import type { Rank } from '../model/place';
import type { Column } from '../types';

export interface MoveMenuProps {
  /** Where it opens, in the window. */
  readonly at: { readonly left: number; readonly top: number };
  readonly columns: readonly Column[];
  /** The column of the card; null when several cards are meant, which have no rank. */
  readonly own: string | null;
  readonly title: string;
  readonly onChoose: (columnId: string, rank: Rank) => void;
  readonly onClose: () => void;
}

const HERE: readonly { rank: Rank; label: string; icon: typeof ArrowUp }[] = [
  { rank: 'top', label: 'Top', icon: ArrowUpToLine },
  { rank: 'up', label: 'Up', icon: ArrowUp },
  { rank: 'down', label: 'Down', icon: ArrowDown },
  { rank: 'end', label: 'End', icon: ArrowDownToLine },
];
const THERE: readonly { rank: Rank; label: string; icon: typeof ArrowUp }[] = [
  { rank: 'end', label: 'End', icon: ArrowDownToLine },
  { rank: 'top', label: 'Top', icon: ArrowUpToLine },
];

/** Column, then place. Opens by `M` at a tile; finished columns and the Backlog need no place. */
export function MoveMenu({ at, columns, own, title, onChoose, onClose }: MoveMenuProps) {
  return (
    <DropdownMenu.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
      <DropdownMenu.Trigger asChild>
        <span className="menu-anchor" style={at} aria-hidden="true" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={title}
          loop
          onCloseAutoFocus={(event) => event.preventDefault()}
        >
          <DropdownMenu.Label className="menu__label">{title}</DropdownMenu.Label>
          {columns.map((column) => {
            const here = column.columnId === own;
            const places = own === null || column.terminal || column.backlog ? null : here ? HERE : THERE;
            const inside = (
              <>
                <span className="dot" data-colour={column.colour} />
                <span dir="auto">{column.label}</span>
              </>
            );
            if (here && (column.terminal || column.backlog)) return null;
            if (!places) {
              return (
                <DropdownMenu.Item
                  key={column.columnId}
                  className="menu__item"
                  onSelect={() => onChoose(column.columnId, 'end')}
                >
                  {inside}
                </DropdownMenu.Item>
              );
            }
            return (
              <DropdownMenu.Sub key={column.columnId}>
                <DropdownMenu.SubTrigger className="menu__item">
                  {inside}
                  {here && <span className="faint small">here</span>}
                  <span className="push" />
                  <Icon icon={ChevronRight} size="sm" flip />
                </DropdownMenu.SubTrigger>
                <DropdownMenu.Portal>
                  <DropdownMenu.SubContent className="menu" sideOffset={4} collisionPadding={8} loop>
                    {places.map(({ rank, label, icon }) => (
                      <DropdownMenu.Item
                        key={rank}
                        className="menu__item"
                        onSelect={() => onChoose(column.columnId, rank)}
                      >
                        <Icon icon={icon} />
                        <span>{label}</span>
                      </DropdownMenu.Item>
                    ))}
                  </DropdownMenu.SubContent>
                </DropdownMenu.Portal>
              </DropdownMenu.Sub>
            );
          })}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
