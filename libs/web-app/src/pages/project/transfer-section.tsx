import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import type { Project } from '../../api/types';
import { projectQuery } from '../../app/session';
import { Button, ButtonLink } from '../../components/button';
import { ConfirmDialog } from '../../components/dialog';
import { Field, Select } from '../../components/field';
import { toast } from '../../components/toast';
import { membersQuery } from './members-data';

/** Gives the project to a member. Shown to its owner. */
export function TransferSection({ project }: { readonly project: Project }) {
  const queries = useQueryClient();
  const { data } = useQuery(membersQuery(project.id));
  const [asking, setAsking] = useState(false);
  const [personId, setPersonId] = useState('');
  const members = data?.members ?? [];
  const chosen = members.find((member) => member.personId === personId);
  return (
    <section aria-labelledby="transfer" className="danger-zone">
      <h2 id="transfer">Transfer to another owner</h2>
      <p className="muted">
        The new owner alone can delete or transfer it, and the inbox is addressed to them. You become
        maintainer, and no app has to sign in again.
      </p>
      <div className="row">
        {data && members.length === 0 ? (
          <ButtonLink to={`/projects/${project.id}/settings/members`}>Invite somebody first</ButtonLink>
        ) : (
          <Button onClick={() => setAsking(true)}>Transfer project</Button>
        )}
      </div>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Transfer ${project.name}?`}
        action={chosen ? `Transfer to ${chosen.displayName}` : 'Transfer'}
        disabledReason={chosen ? null : 'Choose the new owner first.'}
        onConfirm={async () => {
          const after = await api.post<Project>(`/projects/${project.id}/transfer`, { personId });
          queries.setQueryData(projectQuery(project.id).queryKey, after);
          toast({ title: `${after.ownerName} owns ${after.name} now.` });
          await queries.invalidateQueries({ queryKey: ['project', project.id] });
          await queries.invalidateQueries({ queryKey: ['projects'] });
        }}
      >
        <Field label="New owner">
          {(control) => (
            <Select {...control} value={personId} onChange={(event) => setPersonId(event.target.value)}>
              <option value="">Choose a member</option>
              {members.map((member) => (
                <option key={member.personId} value={member.personId}>
                  {member.displayName}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </ConfirmDialog>
    </section>
  );
}
