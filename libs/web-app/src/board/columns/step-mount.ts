import { useEffect, useState } from 'react';

/** Tiles that are drawn in one go. */
const STEP = 12;

const waiting = new Set<() => void>();
let running = false;

function run(): void {
  const [next] = waiting;
  if (!next) {
    running = false;
    return;
  }
  waiting.delete(next);
  next();
  // After the frame, so that scrolling comes first.
  requestAnimationFrame(() => setTimeout(run));
}

/**
 * How many of `total` tiles to draw now. Few at first and more with each frame, one column at a time over the whole page,
 * so that neither the first view nor the next cards of a column hold up a frame.
 */
export function useStepMount(total: number): number {
  const [drawn, setDrawn] = useState(STEP);
  const open = drawn < total;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step asks for the next one
  useEffect(() => {
    if (!open) return;
    const step = () => setDrawn((now) => now + STEP);
    waiting.add(step);
    if (!running) {
      running = true;
      requestAnimationFrame(() => setTimeout(run));
    }
    return () => {
      waiting.delete(step);
    };
  }, [open, drawn]);
  return Math.min(drawn, total);
}
