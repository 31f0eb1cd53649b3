import { type KeyboardEvent, type ReactNode, useRef } from 'react';

export type SideTab = 'comments' | 'outline' | 'decisions' | 'details';

export interface SideTabDef {
  readonly id: SideTab;
  readonly label: string;
  readonly count?: number;
  readonly tone?: 'warn';
}

export interface SideTabsProps {
  readonly tabs: readonly SideTabDef[];
  readonly selected: SideTab;
  readonly onSelect: (tab: SideTab) => void;
}

/** The tab list of the panel. Left, Right, Home and End move. */
export function SideTabs({ tabs, selected, onSelect }: SideTabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === selected);
    const next = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }[event.key];
    const tab = next === undefined ? undefined : tabs[next];
    if (!tab) return;
    event.preventDefault();
    onSelect(tab.id);
    list.current?.querySelector<HTMLElement>(`#tab-${tab.id}`)?.focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label="Review panel" ref={list}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          id={`tab-${tab.id}`}
          aria-selected={tab.id === selected}
          aria-controls={tab.id === selected ? `panel-${tab.id}` : undefined}
          tabIndex={tab.id === selected ? 0 : -1}
          onClick={() => onSelect(tab.id)}
          onKeyDown={onKeyDown}
        >
          {tab.label}
          {tab.count !== undefined && tab.count > 0 && (
            <span className="count" data-tone={tab.tone}>
              {tab.count}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}

export function SidePanel({ tab, children }: { readonly tab: SideTab; readonly children: ReactNode }) {
  return (
    <div
      role="tabpanel"
      id={`panel-${tab}`}
      aria-labelledby={`tab-${tab}`}
      tabIndex={tab === 'comments' ? undefined : 0}
    >
      {children}
    </div>
  );
}
