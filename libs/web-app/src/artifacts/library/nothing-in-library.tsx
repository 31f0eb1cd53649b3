import { AppWindow, Plus, SearchX, Upload } from 'lucide-react';
import { Button, ButtonLink } from '../../components/button';
import { CodeBlock } from '../../components/code-block';
import { EmptyState } from '../../components/empty-state';
import { Icon } from '../../components/icon';
import type { LibraryFilters } from '../shapes';
import { isFiltered } from './library-filters';

export interface NothingInLibraryProps {
  readonly filters: LibraryFilters;
  readonly projectId: string;
  readonly may: boolean;
  readonly onClear: () => void;
}

/** Stands where no artifact is: how one comes here, or how to see others. */
export function NothingInLibrary({ filters, projectId, may, onClear }: NothingInLibraryProps) {
  if (isFiltered(filters) || filters.page > 1 || filters.workspaceId !== '') {
    return (
      <EmptyState
        icon={SearchX}
        title={
          filters.workspaceId !== '' && !isFiltered(filters) ? 'This workspace is empty' : 'Nothing matches'
        }
        actions={
          <Button variant="primary" onClick={onClear}>
            Clear filters
          </Button>
        }
      >
        {filters.workspaceId !== '' && !isFiltered(filters)
          ? 'New artifacts go where their maker puts them. Move one here from its menu.'
          : 'No artifact has all of these. Try fewer words or another filter.'}
      </EmptyState>
    );
  }
  return (
    <>
      <EmptyState
        icon={AppWindow}
        title="No artifacts yet"
        actions={
          <ButtonLink variant={may ? undefined : 'primary'} to={`/projects/${projectId}/connect`}>
            Connect an agent
          </ButtonLink>
        }
      >
        Prototypes, pages, documents and pictures that agents and people make stand here, each in all its
        versions. {may && 'Drop files on this page, or use one of these ways:'}
      </EmptyState>
      {may && (
        <div className="library__ways">
          <div className="stack" data-fill="" data-gap="tight">
            <span className="row small">
              <Icon icon={Upload} size="sm" /> From a folder on your machine
            </span>
            <CodeBlock code={'loupe artifact push ./prototype --name "Seat map"'} what="command" />
          </div>
          <div className="stack" data-fill="" data-gap="tight">
            <span className="row small">
              <Icon icon={Plus} size="sm" /> By a connected agent
            </span>
            <CodeBlock
              code="Build a clickable prototype of this page, store it in Loupe with artifact_create, and give me the preview link."
              what="prompt"
            />
          </div>
        </div>
      )}
    </>
  );
}
