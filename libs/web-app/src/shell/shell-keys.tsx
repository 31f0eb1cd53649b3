import { useNavigate } from 'react-router';
import { useKeys } from '../app/keys';
import { useSession } from '../app/session';
import { PROJECT_END, SECTIONS } from './sections';
import { useSidebarProject } from './sidebar-project';

export interface ShellKeysProps {
  readonly onSearch: () => void;
  readonly onHelp: () => void;
}

/** The keys that work on every page. */
export function ShellKeys({ onSearch, onHelp }: ShellKeysProps) {
  const go = useNavigate();
  const project = useSidebarProject();
  const { flags } = useSession();
  const sections = project
    ? [...SECTIONS, ...PROJECT_END].filter(
        (each) =>
          each.key && (!each.flag || flags[each.flag] !== false) && (each.may?.(project.role) ?? true),
      )
    : [];
  useKeys('Everywhere', [
    { keys: '?', label: 'Show the keys', run: onHelp },
    { keys: '/', label: 'Search', run: onSearch },
    { keys: 'g p', label: 'Go to projects', run: () => void go('/projects') },
    ...sections.map((each) => ({
      keys: `g ${each.key}`,
      label: `Go to ${each.title}`,
      run: () => void go(`/projects/${project?.id}${each.path}`),
    })),
  ]);
  return null;
}
