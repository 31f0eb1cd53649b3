import { ArrowDown, ArrowUp } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Icon } from '../../components/icon';
import type { ChartColumn, ChartDetail } from '../shapes';
import { type Order, sorted, type Value } from './sort-rows';

export interface DataTableProps {
  readonly caption: string;
  readonly data: ChartDetail['data'];
}

/** The numbers behind a chart. A press on a heading sorts by it; the third press gives the order as sent. */
export function DataTable({ caption, data }: DataTableProps) {
  const [order, setOrder] = useState<Order>(null);
  const rows = useMemo(() => sorted(data.rows, order), [data.rows, order]);
  const press = (key: string) =>
    setOrder((now) => (now?.key !== key ? { key, down: false } : now.down ? null : { key, down: true }));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="table-scroll" tabIndex={0} aria-label={`Data of ${caption}`}>
      <table className="table">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {data.columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={sideOf(column)}
                aria-sort={order?.key === column.key ? (order.down ? 'descending' : 'ascending') : undefined}
              >
                <button type="button" className="sort" onClick={() => press(column.key)}>
                  <span dir="auto">{column.label}</span>
                  {order?.key === column.key && <Icon icon={order.down ? ArrowDown : ArrowUp} size="sm" />}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a payload have no name of their own
            <tr key={index}>
              {data.columns.map((column) => (
                <td key={column.key} className={sideOf(column)} data-label={column.label}>
                  <Cell value={row[column.key] ?? null} column={column} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell({ value, column }: { readonly value: Value; readonly column: ChartColumn }) {
  if (value === null) return <span className="faint">–</span>;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return <span className="num">{value.toLocaleString('en')}</span>;
  if (column.type === 'url' && /^https?:\/\//i.test(value)) {
    return (
      <a href={value} target="_blank" rel="noopener nofollow noreferrer" dir="auto">
        {value}
      </a>
    );
  }
  return <span dir="auto">{value}</span>;
}

function sideOf({ align }: ChartColumn): string | undefined {
  if (align === 'right') return 'end';
  return align === 'center' ? 'center' : undefined;
}
