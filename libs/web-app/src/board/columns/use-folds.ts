import { useCallback, useState } from 'react';

interface Kept {
  readonly lanes: boolean;
  readonly folded: readonly string[];
}

/** Whether cards stand in lanes, and which lanes are folded; kept in this browser for each project. */
export function useFolds(projectId: string) {
  const key = keyOf(projectId);
  const [kept, setKept] = useState<Kept>(() => keptFolds(projectId));
  const keep = useCallback(
    (change: (now: Kept) => Kept) =>
      setKept((now) => {
        const next = change(now);
        try {
          localStorage.setItem(key, JSON.stringify(next));
        } catch {
          // A full or closed store: the choice holds for this page.
        }
        return next;
      }),
    [key],
  );
  const fold = useCallback(
    (laneId: string, folded: boolean) =>
      keep((now) => ({
        ...now,
        folded: folded ? [...now.folded, laneId] : now.folded.filter((each) => each !== laneId),
      })),
    [keep],
  );
  const setLanes = useCallback((lanes: boolean) => keep((now) => ({ ...now, lanes })), [keep]);
  return { lanes: kept.lanes, folded: new Set(kept.folded), fold, setLanes };
}

function keyOf(projectId: string): string {
  return `loupe.board.${projectId}`;
}

/** What this browser remembers of the lanes of a project. */
export function keptFolds(projectId: string): Kept {
  try {
    const value = JSON.parse(localStorage.getItem(keyOf(projectId)) ?? '') as Partial<Kept>;
    return {
      lanes: value.lanes !== false,
      folded: Array.isArray(value.folded) ? value.folded.filter((each) => typeof each === 'string') : [],
    };
  } catch {
    return { lanes: true, folded: [] };
  }
}
