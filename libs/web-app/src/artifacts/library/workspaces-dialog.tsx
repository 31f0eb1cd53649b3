import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { sentenceOf } from '../../api/problem';
import { ActingSelect } from '../../components/acting-select';
import { ProblemBanner } from '../../components/banner';
import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { Field } from '../../components/field';
import { plural } from '../../components/plural';
import { artifactKeys, artifactsApi } from '../api';
import type { AgentAccess, WorkspaceRow } from '../shapes';

const ACCESS: readonly { readonly value: AgentAccess; readonly word: string }[] = [
  { value: 'write', word: 'Agents read and write' },
  { value: 'read', word: 'Agents only read' },
  { value: 'none', word: 'Agents see nothing' },
];

export interface WorkspacesProps {
  readonly projectId: string;
  readonly workspaces: readonly WorkspaceRow[];
}

/** Makes, renames and puts away workspaces, and says what agents may do in each. */
export function WorkspacesDialog({
  open,
  onClose,
  ...rest
}: WorkspacesProps & { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Workspaces" footer={<Button onClick={onClose}>Done</Button>}>
      <WorkspaceList {...rest} />
    </Dialog>
  );
}

export function WorkspaceList({ projectId, workspaces }: WorkspacesProps) {
  const api = useMemo(() => artifactsApi(projectId), [projectId]);
  const queries = useQueryClient();
  const [problem, setProblem] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);

  const act = async (call: () => Promise<unknown>): Promise<boolean> => {
    setProblem(null);
    setBusy(true);
    try {
      await call();
      return true;
    } catch (error) {
      setProblem(sentenceOf(error));
      return false;
    } finally {
      setBusy(false);
      await queries.invalidateQueries({ queryKey: artifactKeys.root(projectId) });
    }
  };
  return (
    <div className="stack" data-fill="" data-gap="wide">
      <ProblemBanner problem={problem} />
      <ul className="stack" data-fill="" data-gap="tight">
        {workspaces
          .filter((workspace) => !workspace.archived)
          .map((workspace) => (
            <Row
              key={`${workspace.workspaceId} ${workspace.name}`}
              workspace={workspace}
              act={act}
              api={api}
            />
          ))}
      </ul>
      <form
        className="workspace-row"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          if (name.trim() === '' || busy) return;
          void act(() => api.createWorkspace({ name: name.trim(), agentAccess: 'write' })).then(
            (done) => done && setName(''),
          );
        }}
      >
        <input
          className="input"
          aria-label="Name of a new workspace"
          placeholder="New workspace"
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button
          type="submit"
          disabledReason={name.trim() === '' ? 'Give it a name first.' : null}
          busy={busy}
        >
          Add workspace
        </Button>
      </form>
      {workspaces.some((workspace) => workspace.archived) && (
        <details>
          <summary className="small">
            {plural(workspaces.filter(({ archived }) => archived).length, 'archived workspace')}
          </summary>
          <ul className="stack" data-fill="" data-gap="tight">
            {workspaces
              .filter((workspace) => workspace.archived)
              .map((workspace) => (
                <li className="row" key={workspace.workspaceId}>
                  <span className="grow" dir="auto">
                    {workspace.name}
                  </span>
                  <Button
                    size="sm"
                    onClick={() => void act(() => api.unarchiveWorkspace(workspace.workspaceId))}
                  >
                    Restore workspace
                  </Button>
                </li>
              ))}
          </ul>
        </details>
      )}
    </div>
  );
}

interface RowProps {
  readonly workspace: WorkspaceRow;
  readonly api: ReturnType<typeof artifactsApi>;
  readonly act: (call: () => Promise<unknown>) => Promise<boolean>;
}

function Row({ workspace, api, act }: RowProps) {
  const [name, setName] = useState(workspace.name);
  const rename = () => {
    const next = name.trim();
    if (next === '' || next === workspace.name) {
      setName(workspace.name);
      return;
    }
    void act(() => api.changeWorkspace(workspace.workspaceId, { name: next })).then(
      (done) => done || setName(workspace.name),
    );
  };
  return (
    <li className="workspace-row">
      <Field label={<span className="visually-hidden">Name of workspace {workspace.name}</span>}>
        {(control) => (
          <input
            {...control}
            className="input"
            dir="auto"
            maxLength={60}
            value={name}
            onChange={(event) => setName(event.target.value)}
            onBlur={rename}
            onKeyDown={(event) => {
              if (event.key === 'Enter') {
                event.preventDefault();
                rename();
              }
            }}
          />
        )}
      </Field>
      <ActingSelect
        aria-label={`What agents may do in ${workspace.name}`}
        value={workspace.agentAccess}
        onChoose={(access) =>
          act(() => api.changeWorkspace(workspace.workspaceId, { agentAccess: access as AgentAccess }))
        }
      >
        {ACCESS.map(({ value, word }) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </ActingSelect>
      <Button
        variant="ghost"
        size="sm"
        aria-label={`Archive workspace ${workspace.name}`}
        disabledReason={
          workspace.isGeneral
            ? 'Every project keeps its General workspace.'
            : workspace.artifactCount > 0
              ? `It holds ${plural(workspace.artifactCount, 'artifact')}. Move or archive them first.`
              : null
        }
        onClick={() => void act(() => api.archiveWorkspace(workspace.workspaceId))}
      >
        Archive
      </Button>
    </li>
  );
}
