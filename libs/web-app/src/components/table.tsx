import type { ReactNode } from 'react';

/** The head of a column: its words, or more where a word is not enough. */
export type Column =
  | string
  | {
      readonly label: string;
      /** Figures stand at the end of their column. */
      readonly end?: boolean;
      /** The words are for those who hear the page; the buttons below speak for themselves. */
      readonly hidden?: boolean;
      /** Columns with a higher number go first when the table gets narrow. */
      readonly priority?: '2' | '3';
    };

/** The last column, with what can be done with a row. */
export const ACTIONS: Column = { label: 'Actions', hidden: true };

export interface TableProps {
  /** What the rows are and in which order, for those who hear the page. */
  readonly caption: string;
  readonly columns: readonly Column[];
  /** The rows; with `groups` the bodies of the table. */
  readonly children: ReactNode;
  readonly groups?: boolean;
  /** Fills the page and keeps its head in view; otherwise it stands in a panel. */
  readonly page?: boolean;
  readonly compact?: boolean;
  /** Keeps its columns on a phone; only for two or three short ones. */
  readonly narrow?: boolean;
  readonly busy?: boolean;
  readonly className?: string;
}

/** A table of the house: named for everybody, stacked on a phone, at the place where it stands. */
export function Table({
  caption,
  columns,
  children,
  groups,
  page,
  compact,
  narrow,
  busy,
  className,
}: TableProps) {
  return (
    <div className={page ? 'table-host' : 'panel'} aria-busy={busy || undefined}>
      <table
        className={className ? `table ${className}` : 'table'}
        data-narrow={narrow ? undefined : 'stack'}
        data-sticky={page ? '' : undefined}
        data-inset={page ? undefined : ''}
        data-density={compact ? 'compact' : undefined}
      >
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => {
              const { label, end, hidden, priority } =
                typeof column === 'string' ? ({ label: column } as Exclude<Column, string>) : column;
              return (
                <th key={label} scope="col" className={end ? 'end' : undefined} data-priority={priority}>
                  {hidden ? <span className="visually-hidden">{label}</span> : label}
                </th>
              );
            })}
          </tr>
        </thead>
        {groups ? children : <tbody>{children}</tbody>}
      </table>
    </div>
  );
}
