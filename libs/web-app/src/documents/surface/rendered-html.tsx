import { memo, useLayoutEffect, useRef } from 'react';

export interface RenderedHtmlProps {
  /** HTML that the server has sanitised. */
  readonly html: string;
  readonly className?: string;
  /** Gets the element with the text in it, and null when that text goes. */
  readonly onReady?: (element: HTMLElement | null) => void;
}

/** The one place where HTML from the server enters the page: documents, comments, notes and comparisons. */
export const RenderedHtml = memo(function RenderedHtml({ html, className, onReady }: RenderedHtmlProps) {
  const ref = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new html means new elements inside
  useLayoutEffect(() => {
    onReady?.(ref.current);
    return () => onReady?.(null);
  }, [html, onReady]);
  return (
    <div
      ref={ref}
      className={className}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the server by an allow list
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
});
