import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import { FileText, Kanban, Layers, Search } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { useNavigate } from 'react-router';
import { api } from '../api/client';
import { useProjects, useSession } from '../app/session';
import { Chip, DocumentStatusChip } from '../components/chip';
import { Icon } from '../components/icon';
import type { DocumentPage } from '../documents/shapes';
import { paletteActions } from './palette-actions';
import { matches, matchRanges } from './palette-match';
import { useSidebarProject } from './sidebar-project';

export interface CommandPaletteProps {
  readonly onClose: () => void;
  readonly onShowKeys: () => void;
}

interface Entry {
  readonly id: string;
  readonly group: string;
  readonly icon: LucideIcon;
  readonly title: string;
  readonly sub?: string;
  readonly end?: ReactNode;
  readonly run: () => void;
}

interface FoundCard {
  readonly cardId: string;
  readonly number: number;
  readonly title: string;
  readonly terminal: boolean;
}

const DOCUMENTS_SHOWN = 8;
const CARDS_SHOWN = 6;
const PROJECTS_SHOWN = 6;

/** Finds documents, projects, pages and actions from anywhere. Escape gives the focus back to where it was. */
export function CommandPalette({ onClose, onShowKeys }: CommandPaletteProps) {
  const id = useId();
  const go = useNavigate();
  const session = useSession();
  const project = useSidebarProject();
  const { data: projects = [] } = useProjects();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  // Taken while rendering, because the field focuses itself before any effect runs.
  const [before] = useState(() => document.activeElement);
  const chosen = useRef(false);
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const words = useDeferredValue(text.trim());

  useEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    return () => {
      element?.close();
      if (!chosen.current && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [before]);

  const boardIsOn = session.flags['board.enabled'] !== false;
  const cards = useQuery({
    queryKey: ['board', project?.id, 'palette', words],
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, 120));
      return api.get<{ cards: FoundCard[] }>(`/projects/${project?.id}/board/cards/suggest`, {
        signal,
        query: { q: words.replace(/^#/u, '') },
      });
    },
    // Without words the documents that wait are of more use than any card.
    enabled: project !== null && boardIsOn && words !== '',
    placeholderData: keepPreviousData,
  });
  const found = useQuery({
    queryKey: ['documents', project?.id, 'palette', words],
    queryFn: async ({ signal }) => {
      // A short rest, so that fast typing asks once.
      await new Promise((resolve) => setTimeout(resolve, 120));
      return api.get<DocumentPage>(`/projects/${project?.id}/documents`, {
        signal,
        query: { q: words, archived: words !== '' },
      });
    },
    enabled: project !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });

  const open = (to: string) => () => {
    // The page that opens takes the focus.
    chosen.current = true;
    onClose();
    void go(to);
  };

  const entries: Entry[] = [
    ...(found.data?.documents ?? []).slice(0, words === '' ? 4 : DOCUMENTS_SHOWN).map((each) => ({
      id: each.id,
      group: words === '' ? 'Recent documents' : 'Documents',
      icon: FileText,
      title: each.title,
      sub: each.versionDescription ?? undefined,
      end: each.archived ? (
        <Chip variant="plain" tone="neutral" glyph="passed-over">
          Archived
        </Chip>
      ) : (
        <DocumentStatusChip status={each.status} variant="plain" />
      ),
      run: open(`/projects/${project?.id}/documents/${each.id}/review`),
    })),
    ...(words === '' ? [] : (cards.data?.cards ?? [])).slice(0, CARDS_SHOWN).map((each) => ({
      id: each.cardId,
      group: 'Cards',
      icon: Kanban,
      title: `#${each.number} ${each.title}`,
      sub: each.terminal ? 'Finished' : undefined,
      run: open(`/projects/${project?.id}/board?card=${each.number}`),
    })),
    ...paletteActions({ project, session, showKeys: onShowKeys, open, close: onClose })
      .filter((each) => matches(`${each.title} ${each.sub ?? ''}`, words))
      .map((each) => ({ ...each, id: `do-${each.title}`, group: 'Pages and actions' })),
    ...projects
      .filter((each) => each.id !== project?.id && matches(each.name, words))
      .slice(0, PROJECTS_SHOWN)
      .map((each) => ({
        id: each.id,
        group: 'Projects',
        icon: Layers,
        title: each.name,
        sub: each.role === 'owner' ? undefined : `Shared by ${each.ownerName}`,
        run: open(`/projects/${each.id}`),
      })),
  ];
  const groups = [...new Set(entries.map((each) => each.group))];
  const at = Math.min(active, Math.max(entries.length - 1, 0));

  const move = (to: number) => {
    const next = entries.length === 0 ? 0 : (to + entries.length) % entries.length;
    setActive(next);
    list.current?.querySelector(`[id="${id}-${next}"]`)?.scrollIntoView({ block: 'nearest' });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') move(at + 1);
    else if (event.key === 'ArrowUp') move(at - 1);
    else if (event.key === 'Enter') entries[at]?.run();
    else return;
    event.preventDefault();
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes too
    <dialog
      ref={dialog}
      className="palette"
      aria-label="Search"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className="palette__field">
        <Icon icon={Search} />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-results`}
          aria-activedescendant={entries.length > 0 ? `${id}-${at}` : undefined}
          aria-autocomplete="list"
          aria-label={project ? `Search ${project.name}, or go to a page` : 'Go to a page'}
          placeholder={project ? `Search ${project.name}` : 'Go to a page'}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>Esc</kbd>
      </div>
      {/* The part that scrolls is the list box itself: it is moved by the keys of the field. */}
      <div
        id={`${id}-results`}
        className="palette__list"
        ref={list}
        role="listbox"
        aria-label="Results"
        hidden={entries.length === 0}
      >
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options inside a list box
          <div key={group} role="group" aria-label={group} className="palette__group">
            <div className="palette__label" aria-hidden="true">
              {group}
            </div>
            {entries.map((entry, index) =>
              entry.group === group ? (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
                // biome-ignore lint/a11y/useFocusableInteractive: the field points at the options
                <div
                  key={entry.id}
                  id={`${id}-${index}`}
                  className="palette__item"
                  role="option"
                  aria-selected={index === at}
                  onClick={entry.run}
                  onPointerMove={() => setActive(index)}
                >
                  <Icon icon={entry.icon} />
                  <span className="palette__text">
                    <span dir="auto">
                      <Marked text={entry.title} words={words} />
                    </span>
                    {entry.sub && (
                      <small dir="auto">
                        <Marked text={entry.sub} words={words} />
                      </small>
                    )}
                  </span>
                  {entry.end}
                </div>
              ) : null,
            )}
          </div>
        ))}
      </div>
      {found.error && <p className="palette__label">The documents cannot be searched right now.</p>}
      {entries.length === 0 && !found.error && (
        <p className="palette__label">Nothing matches. Try fewer or other words.</p>
      )}
      <div className="palette__foot">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> move
        </span>
        <span>
          <kbd>Enter</kbd> open
        </span>
        <span className="push num" role="status">
          {found.isFetching && found.isPlaceholderData ? 'Searching' : countOf(entries.length)}
        </span>
      </div>
    </dialog>
  );
}

function countOf(n: number): string {
  return n === 1 ? '1 result' : `${n} results`;
}

function Marked({ text, words }: { readonly text: string; readonly words: string }) {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const [start, end] of matchRanges(text, words)) {
    if (start > from) parts.push(text.slice(from, start));
    parts.push(<mark key={start}>{text.slice(start, end)}</mark>);
    from = end;
  }
  parts.push(text.slice(from));
  return parts;
}
