import { useEffect, useState } from 'react';

/** True once `ms` have passed, so that fast answers show no placeholder. */
function useLate(ms = 200): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return late;
}

export interface SkeletonProps {
  readonly lines?: number;
}

/** Holds the place of a first load that takes more than 200 ms. */
export function Skeleton({ lines = 4 }: SkeletonProps) {
  const late = useLate();
  return (
    <div className="stack skeletons" data-fill role="status">
      <span className="visually-hidden">Loading</span>
      {late &&
        Array.from({ length: lines }, (_, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
          <span key={line} className="skeleton" aria-hidden="true" />
        ))}
    </div>
  );
}
