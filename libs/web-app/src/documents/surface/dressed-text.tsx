import './rendered-text.css';
import { useCallback, useRef } from 'react';
import { dressCodeBlocks } from './code-blocks';
import { RenderedHtml } from './rendered-html';
import { dressStatic } from './static-dress';

export interface DressedTextProps {
  /** HTML that the server has sanitised. */
  readonly html: string;
  readonly className?: string;
}

/** A text that is read and takes no comments: with its callouts, tasks and coloured code. */
export function DressedText({ html, className = '' }: DressedTextProps) {
  const undress = useRef<() => void>(() => undefined);
  const onReady = useCallback((root: HTMLElement | null) => {
    undress.current();
    undress.current = () => undefined;
    if (!root) return;
    dressStatic(root);
    undress.current = dressCodeBlocks(root, () => undefined);
  }, []);
  return <RenderedHtml className={`prose doc-text ${className}`} html={html} onReady={onReady} />;
}
