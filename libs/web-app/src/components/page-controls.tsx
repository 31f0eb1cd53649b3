import { type ReactNode, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';

/** Puts controls of a page into the top bar, so that a reading page keeps its height for the text. */
export function PageControls({ children }: { readonly children: ReactNode }) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => setPlace(document.getElementById('page-controls')), []);
  return place ? createPortal(children, place) : null;
}
