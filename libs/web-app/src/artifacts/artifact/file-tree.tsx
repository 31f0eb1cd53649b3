import { ChevronDown, ChevronRight, File, FileCode2, FileImage, FileText, Folder } from 'lucide-react';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { Icon } from '../../components/icon';
import type { FileRow } from '../shapes';
import { type FileNode, nodesOf } from './file-nodes';

/** Letters typed within this time are one word, as in the trees of every system. */
const TYPE_AHEAD_MS = 700;

export interface FileTreeProps {
  readonly label: string;
  readonly files: readonly FileRow[];
  readonly selected: string | null;
  readonly onSelect: (path: string) => void;
}

/** The files of a version. Arrows, Home, End and first letters work as in every tree. */
export function FileTree({ label, files, selected, onSelect }: FileTreeProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState<string | null>(null);
  const tree = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: '', at: 0 });
  const nodes = useMemo(() => nodesOf(files, closed), [files, closed]);
  // Exactly one line is in the order of Tab: where the reader was, else what is shown, else the first.
  const stop =
    nodes.find(({ path }) => path === focused)?.path ??
    nodes.find(({ path }) => path === selected)?.path ??
    nodes[0]?.path;

  const toggle = (path: string, open: boolean) =>
    setClosed((now) => {
      const next = new Set(now);
      if (open) next.delete(path);
      else next.add(path);
      return next;
    });
  const focus = (node: FileNode | undefined) => {
    if (!node) return;
    setFocused(node.path);
    tree.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(node.path)}"]`)?.focus();
  };
  const act = (node: FileNode) => {
    setFocused(node.path);
    if (node.file) onSelect(node.path);
    else toggle(node.path, !node.open);
  };

  const onKeyDown = (event: KeyboardEvent, node: FileNode, index: number) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const parent = () =>
      nodes.slice(0, index).findLast(({ level, file }) => file === null && level === node.level - 1);
    switch (event.key) {
      case 'ArrowDown':
        focus(nodes[index + 1]);
        break;
      case 'ArrowUp':
        focus(nodes[index - 1]);
        break;
      case 'Home':
        focus(nodes[0]);
        break;
      case 'End':
        focus(nodes.at(-1));
        break;
      case 'ArrowRight':
        if (node.file === null && !node.open) toggle(node.path, true);
        else if (node.file === null) focus(nodes[index + 1]);
        break;
      case 'ArrowLeft':
        if (node.file === null && node.open) toggle(node.path, false);
        else focus(parent());
        break;
      case 'Enter':
      case ' ':
        act(node);
        break;
      default: {
        if (event.key.length !== 1 || event.key === '/' || event.key === '?') return;
        const { text, at } = typed.current;
        const word = (event.timeStamp - at < TYPE_AHEAD_MS ? text : '') + event.key.toLowerCase();
        typed.current = { text: word, at: event.timeStamp };
        const from = word.length > 1 ? index : index + 1;
        const order = [...nodes.slice(from), ...nodes.slice(0, from)];
        const hit = order.find(({ name }) => name.toLowerCase().startsWith(word));
        if (!hit) return;
        focus(hit);
      }
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className="tree" role="tree" aria-label={label} ref={tree}>
      {nodes.map((node, index) => (
        <div
          key={`${node.file ? 'file' : 'folder'} ${node.path}`}
          role="treeitem"
          data-path={node.path}
          data-level={node.level}
          tabIndex={node.path === stop ? 0 : -1}
          aria-level={node.level}
          aria-selected={node.file !== null && node.path === selected}
          aria-expanded={node.file === null ? node.open : undefined}
          title={node.path}
          onClick={() => act(node)}
          onKeyDown={(event) => onKeyDown(event, node, index)}
          onFocus={() => setFocused(node.path)}
        >
          {node.file === null && <Icon icon={node.open ? ChevronDown : ChevronRight} size="sm" />}
          <Icon icon={node.file === null ? Folder : iconOf(node.file)} size="sm" />
          <span className="truncate" dir="auto">
            {node.name}
          </span>
        </div>
      ))}
    </div>
  );
}

function iconOf({ kind, contentType }: FileRow) {
  if (kind === 'image') return FileImage;
  if (kind === 'binary') return File;
  return contentType === 'text/markdown' || contentType === 'text/plain' ? FileText : FileCode2;
}
