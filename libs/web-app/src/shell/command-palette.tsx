import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import { FileText, Kanban, Layers, Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../api/client';
import { useProjects, useSession } from '../app/session';
import { Button } from '../components/button';
import { DocumentStatusChip } from '../components/chip';
import { Icon } from '../components/icon';
import type { DocumentPage } from '../documents/shapes';
import { searchPath, searchQuery, useRested } from '../search/api';
import { FoundMark } from '../search/found-mark';
import { MarkedText } from '../search/marked-text';
import { useSearchProject } from '../search/search-project';
import type { FoundThing } from '../search/shapes';
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
  readonly title: ReactNode;
  readonly sub?: ReactNode;
  readonly end?: ReactNode;
  readonly run: () => void;
}

const RECENT_SHOWN = 4;
const PROJECTS_SHOWN = 6;

/** Finds cards, documents, projects, pages and actions from anywhere. Escape gives the focus back to where it was. */
export function CommandPalette({ onClose, onShowKeys }: CommandPaletteProps) {
  const id = useId();
  const go = useNavigate();
  const session = useSession();
  const project = useSidebarProject();
  const within = useSearchProject();
  const { data: projects = [] } = useProjects();
  const [text, setText] = useState('');
  /** The entry that was chosen by hand; until then it is the first. What comes later never moves it. */
  const [activeId, setActiveId] = useState<string | null>(null);
  // Taken while rendering, because the field focuses itself before any effect runs.
  const [before] = useState(() => document.activeElement);
  const chosen = useRef(false);
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const words = text.trim();
  const asked = useRested(words);

  useEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    return () => {
      element?.close();
      if (!chosen.current && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [before]);

  const search = { words: asked, projectId: within?.id ?? null, page: 1 };
  const found = useQuery({
    ...searchQuery(search),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  });
  const recent = useQuery({
    queryKey: ['documents', project?.id, 'palette'],
    queryFn: ({ signal }) => api.get<DocumentPage>(`/projects/${project?.id}/documents`, { signal }),
    enabled: project !== null && words === '',
  });
  const failed = words !== '' && found.error !== null && !found.isFetching;
  const results = words === '' || failed ? [] : (found.data?.results ?? []);
  const searching = words !== '' && (asked !== words || found.isFetching);

  const open = (to: string) => () => {
    // The page that opens takes the focus.
    chosen.current = true;
    onClose();
    void go(to);
  };

  const named = (title: string, sub?: string) => ({
    title: <Marked text={title} words={words} />,
    sub: sub && <Marked text={sub} words={words} />,
  });
  const pages: Entry[] = paletteActions({ project, session, showKeys: onShowKeys, open, close: onClose })
    // The name of the project stands beside each of its pages; as a word it would bring all of them.
    .filter((each) => matches(`${each.title} ${each.sub === project?.name ? '' : (each.sub ?? '')}`, words))
    .map((each) => ({
      ...each,
      ...named(each.title, each.sub),
      id: `do-${each.title}-${each.sub}`,
      group: 'Pages and actions',
    }));
  const otherProjects: Entry[] = projects
    .filter((each) => each.id !== project?.id && matches(each.name, words))
    .slice(0, PROJECTS_SHOWN)
    .map((each) => ({
      ...named(each.name, each.role === 'owner' ? undefined : `Shared by ${each.ownerName}`),
      id: each.id,
      group: 'Projects',
      icon: Layers,
      run: open(`/projects/${each.id}`),
    }));
  const things: Entry[] = results.map((each) => ({
    id: each.url,
    group: each.kind === 'card' ? 'Cards' : 'Documents',
    icon: each.kind === 'card' ? Kanban : FileText,
    title: <ThingTitle thing={each} />,
    sub: <ThingText thing={each} wide={within === null} />,
    end: <FoundMark thing={each} />,
    run: open(each.url),
  }));
  const further: Entry[] = [
    {
      id: 'all-results',
      group: 'More',
      icon: Search,
      title: within ? `All results in ${within.name}` : 'All results',
      run: open(searchPath({ words, projectId: within?.id ?? null })),
    },
    ...(within && projects.length > 1
      ? [
          {
            id: 'all-projects',
            group: 'More',
            icon: Search,
            title: 'Search all projects',
            run: open(searchPath({ words, projectId: null })),
          },
        ]
      : []),
  ];
  const recentDocuments: Entry[] = (recent.data?.documents ?? []).slice(0, RECENT_SHOWN).map((each) => ({
    id: each.id,
    group: 'Recent documents',
    icon: FileText,
    title: each.title,
    sub: each.versionDescription ?? undefined,
    end: <DocumentStatusChip status={each.status} variant="plain" />,
    run: open(`/projects/${project?.id}/documents/${each.id}/review`),
  }));

  // What is known at once stands first, so that what comes later moves nothing that Enter would open.
  const mixed =
    words === ''
      ? [...recentDocuments, ...pages, ...otherProjects]
      : [...pages, ...otherProjects, ...things, ...further];
  const groups = [...new Set(mixed.map((each) => each.group))];
  const entries = groups.flatMap((group) => mixed.filter((each) => each.group === group));
  const at = Math.max(
    entries.findIndex(({ id: each }) => each === activeId),
    0,
  );

  const move = (to: number) => {
    const next = entries.length === 0 ? 0 : (to + entries.length) % entries.length;
    setActiveId(entries[next]?.id ?? null);
    list.current?.querySelector(`[id="${id}-${next}"]`)?.scrollIntoView({ block: 'nearest' });
  };

  const openActive = () => {
    const entry = entries[at];
    // Nobody chose what was found for the words before.
    if (searching && activeId === null && entry && things.includes(entry)) further[0]?.run();
    else entry?.run();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') move(at + 1);
    else if (event.key === 'ArrowUp') move(at - 1);
    else if (event.key === 'Enter') openActive();
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
          ref={field}
          type="text"
          role="combobox"
          aria-expanded={entries.length > 0}
          aria-controls={`${id}-results`}
          aria-activedescendant={entries.length > 0 ? `${id}-${at}` : undefined}
          aria-autocomplete="list"
          aria-label={within ? `Search ${within.name}` : 'Search all projects'}
          placeholder={within ? `Search ${within.name}` : 'Search all projects'}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActiveId(null);
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
                  onPointerMove={() => setActiveId(entry.id)}
                >
                  <Icon icon={entry.icon} />
                  <span className="palette__text">
                    <span dir="auto">{entry.title}</span>
                    {entry.sub && <small dir="auto">{entry.sub}</small>}
                  </span>
                  {entry.end}
                </div>
              ) : null,
            )}
          </div>
        ))}
      </div>
      {failed && (
        <div className="palette__failed" role="alert">
          Search failed
          <Button
            size="sm"
            onClick={() => {
              void found.refetch();
              field.current?.focus();
            }}
          >
            Search
          </Button>
        </div>
      )}
      {words !== '' && !failed && !searching && results.length === 0 && (
        <p className="palette__label">No card and no document matches. Try fewer or other words.</p>
      )}
      <div className="palette__foot">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> move
        </span>
        <span>
          <kbd>Enter</kbd> open
        </span>
        <span className="push num" role="status">
          {searching ? 'Searching' : countOf(entries.length - (words === '' ? 0 : further.length))}
        </span>
      </div>
    </dialog>
  );
}

function countOf(n: number): string {
  return n === 1 ? '1 result' : `${n} results`;
}

function ThingTitle({ thing }: { readonly thing: FoundThing }) {
  return (
    <>
      {thing.number !== null && `#${thing.number} `}
      <MarkedText html={thing.titleMarked} />
    </>
  );
}

function ThingText({ thing, wide }: { readonly thing: FoundThing; readonly wide: boolean }) {
  return (
    <>
      {wide && thing.projectName}
      {wide && thing.snippet !== null && ' · '}
      {thing.snippet !== null && <MarkedText html={thing.snippet} />}
    </>
  );
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
