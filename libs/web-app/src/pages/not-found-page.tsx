import { usePage } from '../app/page-frame';
import { useSession } from '../app/session';
import { ButtonLink } from '../components/button';
import { GatePage } from '../shell/gate-page';

/** The same for what does not exist and for what this person may not see. */
export function NotFoundPage() {
  usePage('Not found');
  return (
    <GatePage
      title="Not found"
      actions={
        <ButtonLink to="/projects" variant="primary">
          Go to projects
        </ButtonLink>
      }
    >
      Nothing is at this address, or it is not shared with you. Check the link, or ask the person who gave it
      to you.
    </GatePage>
  );
}

export interface SwitchedOffPageProps {
  /** The refusal text of the flag. */
  readonly sentence?: string;
}

export function SwitchedOffPage({ sentence }: SwitchedOffPageProps) {
  usePage('Switched off');
  const { isAdmin } = useSession().person;
  return (
    <GatePage
      title="Switched off on this instance"
      actions={
        <>
          {isAdmin && (
            <ButtonLink to="/admin/feature-flags" variant="primary">
              Go to feature flags
            </ButtonLink>
          )}
          <ButtonLink to="/projects" variant={isAdmin ? undefined : 'primary'}>
            Go to projects
          </ButtonLink>
        </>
      }
    >
      {sentence ?? 'This section is switched off on this instance.'}{' '}
      {isAdmin
        ? 'You can switch it on under Feature flags.'
        : 'An admin can switch it on under Feature flags.'}
    </GatePage>
  );
}
