import { Archive, ArchiveRestore, Ellipsis, FolderInput } from 'lucide-react';
import { IconButton } from '../../components/button';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../components/menu';
import type { ArtifactRow, WorkspaceRow } from '../shapes';

export interface ArtifactMenuProps {
  readonly row: ArtifactRow;
  readonly workspaces: readonly WorkspaceRow[];
  readonly onArchive: () => void;
  readonly onMove: (to: WorkspaceRow) => void;
}

/** What can be done with an artifact without opening it. */
export function ArtifactMenu({ row, workspaces, onArchive, onMove }: ArtifactMenuProps) {
  const others = workspaces.filter(
    ({ workspaceId, archived }) => !archived && workspaceId !== row.workspaceId,
  );
  return (
    <Menu
      align="end"
      label={`Actions for ${row.name}`}
      trigger={<IconButton label={`More about ${row.name}`} icon={Ellipsis} size="sm" />}
    >
      <MenuItem icon={row.archived ? ArchiveRestore : Archive} onSelect={onArchive}>
        {row.archived ? 'Restore' : 'Archive'}
      </MenuItem>
      {others.length > 0 && !row.archived && (
        <>
          <MenuSeparator />
          <MenuLabel>Move to</MenuLabel>
          {others.map((workspace) => (
            <MenuItem key={workspace.workspaceId} icon={FolderInput} onSelect={() => onMove(workspace)}>
              {workspace.name}
            </MenuItem>
          ))}
        </>
      )}
    </Menu>
  );
}
