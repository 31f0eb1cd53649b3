import { NavLink } from 'react-router';

/** The pages of the account. */
export function AccountTabs() {
  return (
    <nav className="tabs" aria-label="Account">
      <NavLink to="/account" end>
        Profile
      </NavLink>
      <NavLink to="/account/security">Security</NavLink>
      <NavLink to="/account/connected-apps">Connected apps</NavLink>
      <NavLink to="/account/data">Data</NavLink>
    </nav>
  );
}
