import { useLayoutEffect, useRef } from 'react';

export interface SourceEditorProps {
  readonly label: string;
  readonly value: string;
  readonly readOnly: boolean;
  readonly onChange: (value: string) => void;
}

/**
 * A plain text field with line numbers. Tab leaves it, as everywhere on the page; Ctrl and ] or [ move the chosen lines
 * in and out.
 */
export function SourceEditor({ label, value, readOnly, onChange }: SourceEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const numbers = useRef<HTMLPreElement>(null);
  const lines = value.split('\n').length;
  const selection = useRef<[number, number] | null>(null);
  useLayoutEffect(() => {
    if (!selection.current || !area.current) return;
    area.current.setSelectionRange(...selection.current);
    selection.current = null;
  });
  return (
    <div className="source-editor">
      <pre className="source__lines num" aria-hidden="true" ref={numbers}>
        {Array.from({ length: lines }, (_, line) => line + 1).join('\n')}
      </pre>
      <textarea
        ref={area}
        className="source__area"
        aria-label={label}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        wrap="off"
        dir="ltr"
        readOnly={readOnly}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onScroll={(event) => {
          if (numbers.current) numbers.current.scrollTop = event.currentTarget.scrollTop;
        }}
        onKeyDown={(event) => {
          if (!(event.ctrlKey || event.metaKey) || readOnly) return;
          if (event.key !== ']' && event.key !== '[') return;
          event.preventDefault();
          const { selectionStart, selectionEnd } = event.currentTarget;
          const next = shift(value, selectionStart, selectionEnd, event.key === ']');
          selection.current = [next.start, next.end];
          onChange(next.text);
        }}
      />
    </div>
  );
}

/** Moves the lines of a selection two spaces in or out. */
export function shift(
  text: string,
  start: number,
  end: number,
  inwards: boolean,
): { readonly text: string; readonly start: number; readonly end: number } {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const to = text.indexOf('\n', Math.max(start, end - 1));
  const until = to < 0 ? text.length : to;
  const before = text.slice(from, until).split('\n');
  const after = before.map((line) =>
    inwards ? (line === '' ? line : `  ${line}`) : line.replace(/^ {1,2}|^\t/, ''),
  );
  const first = after[0]!.length - before[0]!.length;
  const grown = after.join('\n').length - (until - from);
  return {
    text: text.slice(0, from) + after.join('\n') + text.slice(until),
    start: Math.max(from, start + first),
    end: Math.max(from, end + grown),
  };
}
