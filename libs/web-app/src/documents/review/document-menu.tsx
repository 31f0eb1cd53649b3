import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  Archive,
  ArchiveRestore,
  ChevronDown,
  Columns2,
  Download,
  Ellipsis,
  FileText,
  History,
  Library,
  Link2,
  PencilLine,
  Tags,
  TextCursorInput,
  Trash2,
} from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { sentenceOf } from '../../api/problem';
import { Button, IconButton } from '../../components/button';
import { Icon } from '../../components/icon';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../components/menu';
import { PageControls } from '../../components/page-controls';
import { plural } from '../../components/plural';
import { RelativeTime } from '../../components/relative-time';
import { toast } from '../../components/toast';
import { documentKeys, documentPaths, documentsApi } from '../api';
import type { Review } from '../shapes';
import { ArchiveDialog, RenameDialog, TagsDialog } from './document-dialogs';
import { ReferencesDialog } from './references-dialog';
import { SeriesDialog } from './series-dialog';

export interface DocumentMenuProps {
  readonly projectId: string;
  readonly review: Review;
  readonly readOnly?: boolean;
}

type Open = 'rename' | 'tags' | 'series' | 'references' | 'archive' | null;

/** The document's controls in the top bar: workspace, versions, and everything beside the text. */
export function DocumentMenu({ projectId, review, readOnly }: DocumentMenuProps) {
  const { document } = review;
  const [open, setOpen] = useState<Open>(null);
  const queries = useQueryClient();
  const api = documentsApi(projectId);
  const paths = documentPaths(projectId, document.id);
  const may = review.mayContribute;

  const run = async (what: string, done: string, send: () => Promise<unknown>) => {
    try {
      await send();
      toast({ title: done });
    } catch (error) {
      toast({ tone: 'bad', title: what, text: sentenceOf(error) });
    } finally {
      void queries.invalidateQueries({ queryKey: documentKeys.root(projectId) });
    }
  };

  return (
    <>
      <PageControls>
        <Workspace paths={paths} />
        <span className="row" data-nowrap data-gap="tight">
          {may && !readOnly && document.status === 'draft' && !document.archived && (
            <Button
              size="sm"
              onClick={() =>
                void run('The draft was not sent.', 'Sent to review.', () => api.publish(document.id))
              }
            >
              Send to review
            </Button>
          )}
          <VersionMenu projectId={projectId} review={review} />
          <Menu
            align="end"
            size="lg"
            label="Document"
            trigger={<IconButton label="More actions" icon={Ellipsis} />}
          >
            {may && !document.archived && (
              <MenuItem icon={PencilLine} to={paths.revise}>
                Revise
              </MenuItem>
            )}
            {may && (
              <>
                <MenuItem icon={TextCursorInput} onSelect={() => setOpen('rename')}>
                  Rename
                </MenuItem>
                <MenuItem icon={Tags} onSelect={() => setOpen('tags')}>
                  Tags
                </MenuItem>
                <MenuItem icon={Library} onSelect={() => setOpen('series')}>
                  Series
                </MenuItem>
                <MenuItem icon={Link2} onSelect={() => setOpen('references')}>
                  References
                </MenuItem>
                <MenuSeparator />
              </>
            )}
            <MenuItem icon={History} to={paths.history}>
              History
            </MenuItem>
            {document.currentVersion > 1 && (
              <MenuItem icon={Columns2} to={paths.diff(document.currentVersion - 1, document.currentVersion)}>
                Compare versions
              </MenuItem>
            )}
            <MenuItem
              icon={Download}
              onSelect={() => window.location.assign(api.downloadAddress(document.id, review.version.number))}
            >
              Download Markdown
            </MenuItem>
            {may && (
              <>
                <MenuItem icon={Trash2} to={paths.deleted}>
                  Deleted threads
                </MenuItem>
                <MenuSeparator />
                {document.archived ? (
                  <MenuItem
                    icon={ArchiveRestore}
                    onSelect={() =>
                      void run('The document was not brought back.', 'Back in the list.', () =>
                        api.unarchive(document.id),
                      )
                    }
                  >
                    Unarchive
                  </MenuItem>
                ) : (
                  <MenuItem icon={Archive} onSelect={() => setOpen('archive')}>
                    Archive
                  </MenuItem>
                )}
              </>
            )}
          </Menu>
        </span>
      </PageControls>
      {open === 'rename' && (
        <RenameDialog projectId={projectId} review={review} onClose={() => setOpen(null)} />
      )}
      {open === 'tags' && <TagsDialog projectId={projectId} review={review} onClose={() => setOpen(null)} />}
      {open === 'series' && (
        <SeriesDialog projectId={projectId} review={review} onClose={() => setOpen(null)} />
      )}
      {open === 'references' && (
        <ReferencesDialog projectId={projectId} review={review} onClose={() => setOpen(null)} />
      )}
      {open === 'archive' && (
        <ArchiveDialog projectId={projectId} review={review} onClose={() => setOpen(null)} />
      )}
    </>
  );
}

/** Review or History. */
export function Workspace({ paths }: { readonly paths: ReturnType<typeof documentPaths> }) {
  const { pathname } = useLocation();
  const history = pathname === paths.history;
  return (
    <nav className="segmented wide-only" aria-label="Workspace">
      <Link to={paths.review} aria-current={history ? undefined : 'page'}>
        Review
      </Link>
      <Link to={paths.history} aria-current={history ? 'page' : undefined}>
        History
      </Link>
    </nav>
  );
}

function VersionMenu({ projectId, review }: DocumentMenuProps) {
  const { document, version } = review;
  const api = documentsApi(projectId);
  const paths = documentPaths(projectId, document.id);
  const [wanted, setWanted] = useState(false);
  const { data } = useQuery({
    queryKey: documentKeys.versions(projectId, document.id),
    queryFn: ({ signal }) => api.versions(document.id, signal),
    enabled: wanted,
  });
  return (
    <Menu
      align="end"
      size="lg"
      label="Versions"
      trigger={
        <button
          type="button"
          className="btn"
          data-size="sm"
          onPointerEnter={() => setWanted(true)}
          onFocus={() => setWanted(true)}
        >
          <Icon icon={History} />
          <span>
            <span className="wide-only">Version </span>
            <span className="num">{version.number}</span>
          </span>
          <Icon icon={ChevronDown} />
        </button>
      }
    >
      <MenuLabel>{plural(document.currentVersion, 'version')}</MenuLabel>
      {!data && <MenuLabel>Loading</MenuLabel>}
      {data?.slice(0, 12).map((row) => (
        <MenuItem
          key={row.number}
          icon={FileText}
          to={row.number === document.currentVersion ? paths.review : paths.version(row.number)}
          note={row.description ?? undefined}
          end={
            row.number === version.number ? (
              <span className="chip">Shown</span>
            ) : row.number === document.currentVersion ? (
              <span className="chip">Newest</span>
            ) : undefined
          }
        >
          Version {row.number}{' '}
          <span className="faint">
            · <RelativeTime at={row.createdAt} />
          </span>
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem icon={History} to={paths.history}>
        All versions
      </MenuItem>
      {document.currentVersion > 1 && (
        <MenuItem icon={Columns2} to={paths.diff(document.currentVersion - 1, document.currentVersion)}>
          Compare versions
        </MenuItem>
      )}
    </Menu>
  );
}
