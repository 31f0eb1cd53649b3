import {
  Archive,
  ArchiveRestore,
  ChevronDown,
  Columns2,
  Copy,
  Download,
  ExternalLink,
  GitBranch,
  Globe,
  Link2,
  Lock,
  Pencil,
  SquarePen,
  Tags,
  Trash2,
} from 'lucide-react';
import { Link } from 'react-router';
import { useCurrentProject } from '../../app/current-project';
import { Button, ButtonLink } from '../../components/button';
import { Chip } from '../../components/chip';
import { copyText } from '../../components/code-block';
import { Icon } from '../../components/icon';
import { Menu, MenuItem, MenuSeparator } from '../../components/menu';
import { artifactPaths, artifactsApi } from '../api';
import type { ArtifactDetail } from '../shapes';
import { ARTIFACT_STATUS, typeWord } from '../words';
import type { Question } from './artifact-page';

export interface ArtifactHeadProps {
  readonly artifact: ArtifactDetail;
  readonly shown: number | null;
  readonly compareWith: number | null;
  readonly onAsk: (question: Question) => void;
  readonly onArchive: () => void;
  readonly onDuplicate: () => void;
  readonly onPrivacy: (privacy: 'private' | 'public') => void;
}

/** What the artifact is, and everything that can be done with it as a whole. */
export function ArtifactHead(props: ArtifactHeadProps) {
  const { artifact, shown, compareWith, onAsk, onArchive, onDuplicate, onPrivacy } = props;
  const project = useCurrentProject();
  const paths = artifactPaths(project.id, artifact.artifactId);
  const status = ARTIFACT_STATUS[artifact.status];
  const may = artifact.can.write;
  const open = !artifact.archived;
  const older = shown !== null && shown !== artifact.latestVersion;
  return (
    <header className="page-head">
      <div className="page-head__text">
        <div className="row">
          <h1 dir="auto">{artifact.name}</h1>
          <Chip tone={status.tone} glyph={status.glyph}>
            {status.word}
          </Chip>
          {artifact.published && artifact.liveUrl && (
            <a className="chip" data-tone="good" href={artifact.liveUrl} target="_blank" rel="noreferrer">
              <Icon icon={Globe} />
              Published
            </a>
          )}
          {artifact.privacy === 'public' && artifact.publicLinksEnabled && (
            <Chip tone="neutral" variant="outline">
              Public link
            </Chip>
          )}
        </div>
        <p className="page-sub">
          {typeWord(artifact)} in{' '}
          <Link to={`${paths.list}?workspace=${artifact.workspaceId}`} dir="auto">
            {artifact.workspaceName}
          </Link>
          {artifact.cards.length > 0 && <>. For cards </>}
          {artifact.cards.map((card, index) => (
            <span key={card.cardId}>
              {index > 0 && ' '}
              <Link className="tag" to={`/projects/${project.id}/cards/${card.number}`} title={card.title}>
                #{card.number}
                {artifact.cards.length < 3 && ` ${card.title}`}
              </Link>
            </span>
          ))}
        </p>
        {artifact.description && (
          <p className="page-sub" dir="auto">
            {artifact.description}
          </p>
        )}
      </div>
      <div className="page-head__actions">
        {compareWith !== null && shown !== null && (
          <ButtonLink icon={Columns2} narrow="icon" to={paths.compare(compareWith, shown)}>
            Compare
          </ButtonLink>
        )}
        {artifact.playgroundUrl && artifact.latestVersion !== null && (
          <ButtonLink icon={SquarePen} narrow="icon" to={paths.playground}>
            Playground
          </ButtonLink>
        )}
        <span className="split">
          {artifact.previewUrl ? (
            <a
              className="btn"
              data-variant="primary"
              href={paths.preview(older ? (shown ?? undefined) : undefined)}
              target="_blank"
              rel="noreferrer"
            >
              <Icon icon={ExternalLink} />
              Open preview
            </a>
          ) : (
            <a
              className="btn"
              data-variant="primary"
              href={
                artifact.version?.files[0] && shown !== null
                  ? artifactsApi(project.id).fileAddress(
                      artifact.artifactId,
                      shown,
                      artifact.version.files[0].path,
                      true,
                    )
                  : undefined
              }
              download
            >
              <Icon icon={Download} />
              Download
            </a>
          )}
          <Menu
            align="end"
            label="Artifact"
            trigger={
              <Button variant="primary" aria-label="More actions">
                <Icon icon={ChevronDown} />
              </Button>
            }
          >
            <MenuItem icon={Link2} onSelect={() => void copyText(artifact.url, 'link')}>
              Copy link
            </MenuItem>
            {shown !== null && artifact.previewUrl && (
              <MenuItem
                icon={Download}
                onSelect={() => {
                  window.location.href = artifactsApi(project.id).zipAddress(artifact.artifactId, shown);
                }}
              >
                Download as zip
              </MenuItem>
            )}
            {artifact.gitEnabled && artifact.artifactType !== 'asset' && artifact.latestVersion !== null && (
              <MenuItem icon={GitBranch} onSelect={() => onAsk('clone')}>
                Clone with git
              </MenuItem>
            )}
            {may && (
              <>
                <MenuSeparator />
                {open && (
                  <MenuItem icon={Pencil} onSelect={() => onAsk('rename')}>
                    Rename and describe
                  </MenuItem>
                )}
                <MenuItem icon={Tags} onSelect={() => onAsk('cards')}>
                  Link cards
                </MenuItem>
                {artifact.latestVersion !== null && (
                  <MenuItem icon={Copy} onSelect={onDuplicate}>
                    Duplicate
                  </MenuItem>
                )}
                {open && artifact.publicLinksEnabled && artifact.previewUrl && (
                  <MenuItem
                    icon={artifact.privacy === 'public' ? Lock : Globe}
                    onSelect={() => onPrivacy(artifact.privacy === 'public' ? 'private' : 'public')}
                    note={
                      artifact.privacy === 'public'
                        ? 'The preview needs a sign-in again'
                        : 'Whoever has the link sees the preview'
                    }
                  >
                    {artifact.privacy === 'public' ? 'End the public link' : 'Make the preview public'}
                  </MenuItem>
                )}
                {open && artifact.publishEnabled && artifact.artifactType === 'app' && shown !== null && (
                  <MenuItem icon={Globe} onSelect={() => onAsk('publish')}>
                    {artifact.published ? 'Publish this version' : 'Publish'}
                  </MenuItem>
                )}
                {artifact.published && (
                  <MenuItem icon={Lock} onSelect={() => onAsk('unpublish')}>
                    Unpublish
                  </MenuItem>
                )}
                <MenuSeparator />
                <MenuItem icon={artifact.archived ? ArchiveRestore : Archive} onSelect={onArchive}>
                  {artifact.archived ? 'Restore' : 'Archive'}
                </MenuItem>
                {artifact.can.administer && (
                  <MenuItem icon={Trash2} onSelect={() => onAsk('delete')}>
                    Delete
                  </MenuItem>
                )}
              </>
            )}
          </Menu>
        </span>
      </div>
    </header>
  );
}
