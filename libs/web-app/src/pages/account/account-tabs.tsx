import { NavLink } from 'react-router';
import { useFlag } from '../../app/session';
import { TabBar } from '../../components/tab-bar';

/** The pages of the account. */
export function AccountTabs() {
  const exports = useFlag('exports.enabled');
  return (
    <TabBar label="Account">
      <NavLink to="/account" end>
        Profile
      </NavLink>
      <NavLink to="/account/security">Security</NavLink>
      <NavLink to="/account/connected-apps">Connected apps</NavLink>
      {exports && <NavLink to="/account/data">Data</NavLink>}
    </TabBar>
  );
}
