import { useQueryClient } from '@tanstack/react-query';
import { FileUp, FolderUp } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { Banner } from '../../components/banner';
import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { Field, Select } from '../../components/field';
import { size } from '../../components/format-size';
import { Icon } from '../../components/icon';
import { plural } from '../../components/plural';
import { toast } from '../../components/toast';
import { useSubmit } from '../../components/use-submit';
import { artifactKeys, artifactPaths, artifactsApi } from '../api';
import type { WorkspaceRow } from '../shapes';
import {
  bundle,
  nameOf,
  type Picked,
  pickedFromDrop,
  pickedFromInput,
  planOf,
  sendBytes,
} from './file-bundle';

interface Made {
  readonly artifactId: string;
  readonly skippedFiles?: readonly { readonly path: string }[];
}

type Way = 'files' | 'empty-html' | 'empty-react' | 'empty-markdown';

export interface NewArtifactDialogProps {
  readonly open: boolean;
  readonly projectId: string;
  readonly workspaces: readonly WorkspaceRow[];
  /** The workspace that the library shows, or empty. */
  readonly workspaceId: string;
  /** Files that were dropped on the page. */
  readonly dropped: readonly Picked[];
  readonly onClose: () => void;
}

/** Makes an artifact from files, a zip or nothing. */
export function NewArtifactDialog(props: NewArtifactDialogProps) {
  // Mounted anew each time, so that nothing of the last one stays.
  return props.open ? <OpenDialog {...props} /> : null;
}

function OpenDialog({ projectId, workspaces, workspaceId, dropped, onClose }: NewArtifactDialogProps) {
  const api = useMemo(() => artifactsApi(projectId), [projectId]);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const open = workspaces.filter((workspace) => !workspace.archived);
  const general = open.find((workspace) => workspace.isGeneral) ?? open[0];
  const [way, setWay] = useState<Way>('files');
  const [picked, setPicked] = useState<readonly Picked[]>(dropped);
  const [name, setName] = useState(() => nameOf(dropped));
  const [named, setNamed] = useState(false);
  const [place, setPlace] = useState(workspaceId || (general?.workspaceId ?? ''));
  const [sent, setSent] = useState<number | null>(null);
  const plan = planOf(picked);

  const pick = (files: readonly Picked[]) => {
    if (files.length === 0) return;
    setPicked(files);
    if (!named) setName(nameOf(files));
    submit.clear();
  };

  const submit = useSubmit(
    async (requestId): Promise<Made> => {
      const about = { name: name.trim() || 'Untitled project', workspaceId: place };
      if (way !== 'files') {
        const markdown = way === 'empty-markdown';
        return api.createEmpty(
          {
            ...about,
            artifactType: markdown ? 'markdown' : 'app',
            ...(markdown ? {} : { framework: way === 'empty-react' ? 'react' : 'html' }),
          },
          requestId,
        );
      }
      if (plan.kind === 'nothing') throw new Error(plan.why);
      const asset = plan.kind === 'asset';
      const body = plan.kind === 'files' ? await bundle(plan.files) : plan.file;
      const upload = await api.reserveUpload(asset ? 'asset' : 'source');
      if (body.size > upload.maxBytes) {
        throw new Error(
          `These files are ${size(body.size)}; at most ${size(upload.maxBytes)} are taken. Push them with loupe artifact push.`,
        );
      }
      setSent(0);
      try {
        await sendBytes(
          upload.uploadUrl,
          body,
          asset ? plan.file.type || 'application/octet-stream' : 'application/zip',
          setSent,
        );
      } finally {
        setSent(null);
      }
      const artifactType = asset ? 'asset' : plan.kind === 'files' ? plan.artifactType : ('app' as const);
      return api.createFromUpload({ ...about, artifactType, zipUploadId: upload.zipUploadId }, requestId);
    },
    (made) => {
      void queries.invalidateQueries({ queryKey: artifactKeys.root(projectId) });
      const skipped = made.skippedFiles?.length ?? 0;
      toast({
        title: 'The artifact is stored.',
        text: skipped > 0 ? `${plural(skipped, 'file')} were not stored; the page lists them.` : undefined,
      });
      onClose();
      void navigate(artifactPaths(projectId, made.artifactId).one);
    },
  );
  const problem = submit.error instanceof Error && submit.problem ? submit.error.message : submit.problem;
  return (
    <Dialog
      open
      title="New artifact"
      onClose={onClose}
      onSubmit={() => void submit.run()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            busy={submit.busy}
            disabledReason={way === 'files' && plan.kind === 'nothing' ? plan.why : null}
          >
            Create artifact
          </Button>
        </>
      }
    >
      <div className="stack" data-fill="">
        <Field label="From">
          {(control) => (
            <Select {...control} value={way} onChange={(event) => setWay(event.target.value as Way)}>
              <option value="files">Files, a folder or a zip</option>
              <option value="empty-html">Nothing yet: an HTML app</option>
              <option value="empty-react">Nothing yet: a React app</option>
              <option value="empty-markdown">Nothing yet: Markdown</option>
            </Select>
          )}
        </Field>
        {way === 'files' && <DropZone picked={picked} onPick={pick} />}
        <Field label="Name" error={submit.fields.name}>
          {(control) => (
            <input
              {...control}
              className="input"
              maxLength={120}
              placeholder="Untitled project"
              value={name}
              onChange={(event) => {
                setNamed(true);
                setName(event.target.value);
              }}
            />
          )}
        </Field>
        {open.length > 1 && (
          <Field label="Workspace" error={submit.fields.workspaceId}>
            {(control) => (
              <Select {...control} value={place} onChange={(event) => setPlace(event.target.value)}>
                {open.map((workspace) => (
                  <option key={workspace.workspaceId} value={workspace.workspaceId}>
                    {workspace.name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        {sent !== null && (
          <div className="stack" data-gap="tight" data-fill="" role="status">
            <span className="small muted num">Sending, {Math.round(sent * 100)} %</span>
            <progress className="progress" value={sent} max={1} aria-label="Sent" />
          </div>
        )}
        {(problem ?? submit.fields.zipUploadId ?? submit.fields.files) && (
          <Banner tone="bad" alert>
            {problem ?? submit.fields.zipUploadId ?? submit.fields.files}
          </Banner>
        )}
      </div>
    </Dialog>
  );
}

interface DropZoneProps {
  readonly picked: readonly Picked[];
  readonly onPick: (files: readonly Picked[]) => void;
}

function DropZone({ picked, onPick }: DropZoneProps) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const bytes = picked.reduce((sum, { file }) => sum + file.size, 0);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way beside the two buttons inside
    <div
      className="dropzone"
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        setOver(false);
        void pickedFromDrop(event.dataTransfer).then(onPick);
      }}
    >
      <Icon icon={FileUp} />
      <p role="status">
        {picked.length === 0 ? (
          'Drop a page with its files, Markdown, a zip, or one image or video.'
        ) : (
          <>
            <b dir="auto">{picked.length === 1 ? picked[0]!.path : plural(picked.length, 'file')}</b>,{' '}
            {size(bytes)}
          </>
        )}
      </p>
      <div className="row">
        <Button size="sm" icon={FileUp} onClick={() => files.current?.click()}>
          Choose files
        </Button>
        <Button size="sm" icon={FolderUp} onClick={() => folder.current?.click()}>
          Choose a folder
        </Button>
      </div>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label="Files"
        onChange={(event) => onPick(pickedFromInput([...(event.target.files ?? [])]))}
      />
      <input
        ref={(element) => {
          folder.current = element;
          // React does not know the attribute.
          element?.setAttribute('webkitdirectory', '');
        }}
        type="file"
        multiple
        hidden
        aria-label="Folder"
        onChange={(event) => onPick(pickedFromInput([...(event.target.files ?? [])]))}
      />
    </div>
  );
}
