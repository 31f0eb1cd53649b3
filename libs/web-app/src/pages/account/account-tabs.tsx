import { NavLink } from 'react-router';
import { useFlag } from '../../app/session';

/** The pages of the account. */
export function AccountTabs() {
  const exports = useFlag('exports.enabled');
  return (
    <nav className="tabs" aria-label="Account">
      <NavLink to="/account" end>
        Profile
      </NavLink>
      <NavLink to="/account/security">Security</NavLink>
      <NavLink to="/account/connected-apps">Connected apps</NavLink>
      {exports && <NavLink to="/account/data">Data</NavLink>}
    </nav>
  );
}
