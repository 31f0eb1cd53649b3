import { Check, ChevronsUpDown, Layers, Plus } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { ProjectTile } from '../api/types';
import { useProjects } from '../app/session';
import { Icon } from '../components/icon';
import { filterProjects, SHOW_FILTER_ABOVE } from './project-filter';

/** Chooses the project of the sidebar. Arrows move, Enter opens, Escape closes and gives the focus back. */
export function ProjectPicker({ current }: { readonly current: ProjectTile | null }) {
  const { data: projects = [] } = useProjects();
  const [open, setOpen] = useState(false);
  if (!current) {
    return (
      <Link className="picker" to="/projects/new">
        <Icon icon={Plus} />
        <span className="picker__name">New project</span>
      </Link>
    );
  }
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <button type="button" className="picker" aria-haspopup="listbox" title={current.name}>
          <Icon icon={Layers} />
          <span className="picker__name" dir="auto">
            <span className="visually-hidden">Project: </span>
            {current.name}
          </span>
          <Icon icon={ChevronsUpDown} />
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="menu picker-menu"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label="Choose a project"
        >
          <ProjectList projects={projects} currentId={current.id} onDone={() => setOpen(false)} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface ProjectListProps {
  readonly projects: readonly ProjectTile[];
  readonly currentId: string;
  readonly onDone: () => void;
}

function ProjectList({ projects, currentId, onDone }: ProjectListProps) {
  const id = useId();
  const go = useNavigate();
  const [text, setText] = useState('');
  const [active, setActive] = useState(currentId);
  const list = useRef<HTMLDivElement>(null);
  const filtered = projects.length > SHOW_FILTER_ABOVE;
  const shown = filterProjects(projects, text, currentId);
  const activeId = shown.some((each) => each.id === active) ? active : (shown[0]?.id ?? '');

  const choose = (projectId: string) => {
    onDone();
    void go(`/projects/${projectId}`);
  };

  const move = (to: number) => {
    const next = shown[(to + shown.length) % shown.length];
    if (!next) return;
    setActive(next.id);
    list.current?.querySelector(`[id="${id}-${next.id}"]`)?.scrollIntoView({ block: 'nearest' });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const at = shown.findIndex((each) => each.id === activeId);
    if (event.key === 'ArrowDown') move(at + 1);
    else if (event.key === 'ArrowUp') move(at - 1);
    else if (event.key === 'Home' && !filtered) move(0);
    else if (event.key === 'End' && !filtered) move(shown.length - 1);
    else if (event.key === 'Enter' && activeId) choose(activeId);
    else return;
    event.preventDefault();
  };

  const pointsAt = activeId === '' ? undefined : `${id}-${activeId}`;
  return (
    <>
      {filtered && (
        <div className="picker-menu__filter">
          <input
            className="input"
            type="text"
            role="combobox"
            aria-label="Filter projects"
            placeholder="Filter projects"
            aria-expanded="true"
            aria-controls={`${id}-list`}
            aria-activedescendant={pointsAt}
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={onKeyDown}
          />
        </div>
      )}
      <div
        ref={list}
        id={`${id}-list`}
        className="picker-menu__list"
        role="listbox"
        aria-label="Projects"
        tabIndex={filtered ? -1 : 0}
        aria-activedescendant={filtered ? undefined : pointsAt}
        onKeyDown={filtered ? undefined : onKeyDown}
      >
        {shown.map((each) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list box handles the keys of its options
          // biome-ignore lint/a11y/useFocusableInteractive: the list box points at its options
          <div
            key={each.id}
            id={`${id}-${each.id}`}
            className="menu__item"
            role="option"
            aria-selected={each.id === currentId}
            data-active={each.id === activeId || undefined}
            onClick={() => choose(each.id)}
          >
            <span className="truncate" dir="auto">
              {each.name}
            </span>
            {each.role !== 'owner' && <span className="faint small nowrap">{each.ownerName}</span>}
            {each.id === currentId && (
              <span className="push">
                <Icon icon={Check} />
              </span>
            )}
          </div>
        ))}
      </div>
      {text !== '' && shown.length <= 1 && shown.every((each) => each.id === currentId) && (
        <p className="menu__label">No other project has these words.</p>
      )}
      <hr />
      <Link className="menu__item" to="/projects" onClick={onDone}>
        <Icon icon={Layers} />
        <span>All projects</span>
      </Link>
      <Link className="menu__item" to="/projects/new" onClick={onDone}>
        <Icon icon={Plus} />
        <span>New project</span>
      </Link>
    </>
  );
}
