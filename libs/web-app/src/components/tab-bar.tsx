import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

export interface TabBarProps {
  readonly label: string;
  /** Links; the one that is open has `aria-current="page"`. */
  readonly children: ReactNode;
}

/** The pages of one section, side by side. Where they do not fit, the one that is open stays in view. */
export function TabBar({ label, children }: TabBarProps) {
  const bar = useRef<HTMLElement>(null);
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another open tab
  useEffect(() => {
    const open = bar.current?.querySelector<HTMLElement>('[aria-current="page"]');
    if (!bar.current || !open) return;
    bar.current.scrollLeft = open.offsetLeft - (bar.current.clientWidth - open.offsetWidth) / 2;
  }, [key]);
  return (
    <nav className="tabs" aria-label={label} ref={bar}>
      {children}
    </nav>
  );
}
