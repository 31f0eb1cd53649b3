import { motion } from '../surface/motion';

/** The block of a change; its mark may stand inside of it. */
export function changeElement(number: number): HTMLElement | null {
  const mark = document.getElementById(`change-${number}`);
  return mark?.closest<HTMLElement>('[data-change]') ?? mark;
}

/** Brings a change into the middle of the screen. */
export function showChange(number: number): void {
  const element = changeElement(number);
  element?.scrollIntoView({ block: 'center', behavior: motion() });
}
