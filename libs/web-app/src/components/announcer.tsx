import { createStore, useStore } from '../app/store';

const text = createStore('');

/** Says something to assistive technology without a thing on screen, such as "Copied" or a new count. */
export function announce(sentence: string): void {
  // The same sentence twice must differ, or it is not read again.
  text.set((now) => (now === sentence ? `${sentence}\u00a0` : sentence));
}

export function Announcer() {
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {useStore(text)}
    </div>
  );
}
