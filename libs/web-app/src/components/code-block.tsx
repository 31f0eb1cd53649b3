import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { announce } from './announcer';
import { Button, IconButton } from './button';
import { toast } from './toast';

export interface CodeBlockProps {
  readonly code: string;
  /** What is copied, such as "setup prompt"; names the button. */
  readonly what: string;
  /** The one command that a page is for. */
  readonly lead?: boolean;
}

/** Something to be pasted elsewhere. */
export function CodeBlock({ code, what, lead }: CodeBlockProps) {
  const { copied, copy } = useCopy();
  const run = () => void copy(code, what);
  return (
    <div className={lead ? 'codeblock codeblock--lead' : 'codeblock'}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
      {lead ? (
        <Button variant="primary" size="sm" icon={copied ? Check : Copy} onClick={run}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
      ) : (
        <IconButton
          label={copied ? 'Copied' : `Copy ${what}`}
          icon={copied ? Check : Copy}
          size="sm"
          onClick={run}
        />
      )}
    </div>
  );
}

/** Puts text on the clipboard and says so; falls back where the clipboard is closed to pages without https. */
function useCopy(): { copied: boolean; copy: (text: string, what: string) => Promise<void> } {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    copied,
    async copy(text, what) {
      if (!(await put(text, what))) return;
      setCopied(true);
      announce(`Copied ${what}.`);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setCopied(false), 2_000);
    },
  };
}

/** Copies from a menu, where no button can change to say so. */
export async function copyText(text: string, what: string): Promise<void> {
  if (await put(text, what)) toast({ title: `Copied the ${what}.` });
}

async function put(text: string, what: string): Promise<boolean> {
  if (await putOnClipboard(text)) return true;
  toast({ tone: 'bad', title: `The ${what} was not copied.`, text: 'Select it and copy it by hand.' });
  return false;
}

async function putOnClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'visually-hidden';
    document.body.append(area);
    const before = document.activeElement;
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    if (before instanceof HTMLElement) before.focus();
    return done;
  }
}
