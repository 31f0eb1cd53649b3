import { BookOpen, ChevronsUpDown, Info, KeyRound, LogOut, Plug, UserRound } from 'lucide-react';
import { useRef } from 'react';
import { useSession } from '../app/session';
import { Avatar } from '../components/avatar';
import { Icon } from '../components/icon';
import { Menu, MenuItem, MenuSeparator } from '../components/menu';

/** The person at the screen, and what belongs to them. Signing out is a form post, as the server expects it. */
export function AccountMenu({ rail }: { readonly rail: boolean }) {
  const { person, csrfToken } = useSession();
  const form = useRef<HTMLFormElement>(null);
  return (
    <>
      <Menu
        side="top"
        label="Account"
        trigger={
          <button
            type="button"
            className="picker"
            data-quiet=""
            title={rail ? person.displayName : undefined}
          >
            <Avatar name={person.displayName} size="sm" />
            <span className="picker__name">{person.displayName}</span>
            <Icon icon={ChevronsUpDown} />
          </button>
        }
      >
        <MenuItem icon={UserRound} to="/account">
          Account
        </MenuItem>
        <MenuItem icon={KeyRound} to="/account/security">
          Security
        </MenuItem>
        <MenuItem icon={Plug} to="/account/connected-apps">
          Connected apps
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={BookOpen} to="/docs" outside>
          Guides
        </MenuItem>
        <MenuItem icon={Info} to="/about" outside>
          About Loupe
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={LogOut} onSelect={() => form.current?.requestSubmit()}>
          Sign out
        </MenuItem>
      </Menu>
      <form ref={form} method="post" action="/logout" hidden>
        <input type="hidden" name="_csrf" value={csrfToken} />
      </form>
    </>
  );
}
