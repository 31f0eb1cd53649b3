import { useState } from 'react';
import { api } from '../../api/client';
import { ProblemBanner } from '../../components/banner';
import { Button } from '../../components/button';
import { CodeBlock } from '../../components/code-block';
import { Field, Select } from '../../components/field';
import { SubmitForm } from '../../components/submit-form';
import { useSubmit } from '../../components/use-submit';
import { type IssuedInvitation, type MemberRole, ROLES } from './members-data';

export type ShownLink = Pick<IssuedInvitation, 'id' | 'email' | 'url'>;

export interface InviteFormProps {
  readonly projectId: string;
  readonly mailIsOn: boolean;
  /** The link of the last invitation; it is shown this once. */
  readonly link: ShownLink | null;
  readonly onLink: (link: ShownLink) => void;
}

/** Invites by an address, or makes a link to copy. */
export function InviteForm({ projectId, mailIsOn, link, onLink }: InviteFormProps) {
  const [role, setRole] = useState<MemberRole>('member');
  const [email, setEmail] = useState('');
  const byMail = email.trim() !== '' && mailIsOn;
  const submit = useSubmit(
    (requestId) =>
      api.post<IssuedInvitation>(
        `/projects/${projectId}/invitations`,
        { role, email: email.trim() === '' ? null : email.trim() },
        { requestId },
      ),
    (issued) => {
      setEmail('');
      onLink(issued);
    },
  );
  return (
    <>
      <SubmitForm submit={submit} className="invite-form">
        <Field
          label="Address"
          error={submit.fields.email}
          hint={
            mailIsOn
              ? 'Leave it empty for a link that the first who opens it may use.'
              : 'No mail is sent from here: copy the link and send it yourself. With an address only that person can use it.'
          }
        >
          {(control) => (
            <input
              {...control}
              className="input"
              type="email"
              autoComplete="off"
              placeholder="ines@example.com"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Role"
          error={submit.fields.role}
          hint={`May do: ${ROLES.find((each) => each.role === role)?.may}.`}
        >
          {(control) => (
            <Select {...control} value={role} onChange={(event) => setRole(event.target.value as MemberRole)}>
              {ROLES.map(({ role: each, word }) => (
                <option key={each} value={each}>
                  {word}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Button type="submit" variant="primary" busy={submit.busy}>
          {byMail ? 'Send invitation' : 'Make a link'}
        </Button>
      </SubmitForm>
      <ProblemBanner problem={submit.problem} />
      {link && (
        <div className="stack" data-fill="" data-gap="tight" role="status">
          <p>
            {link.email && mailIsOn ? `The invitation goes to ${link.email}. ` : ''}
            This link is shown once and is good for 7 days:
          </p>
          <CodeBlock code={link.url} what="link" />
        </div>
      )}
    </>
  );
}
