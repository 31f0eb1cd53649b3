import { Menu as MenuIcon, Search } from 'lucide-react';
import type { Ref } from 'react';
import { Link } from 'react-router';
import { usePageFrame } from '../app/page-frame';
import { IconButton } from '../components/button';
import { Icon } from '../components/icon';
import { useSearchProject } from '../search/search-project';
import { LiveMark } from './live-mark';

export interface TopBarProps {
  readonly navButton: Ref<HTMLButtonElement>;
  readonly navOpen: boolean;
  readonly onOpenNav: () => void;
  readonly onSearch: () => void;
}

const apple = /mac|iphone|ipad/i.test(navigator.platform);

export function TopBar({ navButton, navOpen, onOpenNav, onSearch }: TopBarProps) {
  const { title, crumbs } = usePageFrame();
  const search = useSearchProject() ? 'Search project' : 'Search all projects';
  return (
    <header className="topbar">
      <IconButton
        ref={navButton}
        className="narrow-only"
        label="Open navigation"
        icon={MenuIcon}
        aria-controls="sidebar"
        aria-expanded={navOpen}
        onClick={onOpenNav}
      />
      <nav className="crumbs" aria-label="Breadcrumb">
        <ol>
          {crumbs.map((crumb, index) => (
            <li key={crumb.to ?? crumb.label} className={index < crumbs.length - 1 ? 'wide-only' : undefined}>
              {crumb.to ? <Link to={crumb.to}>{crumb.label}</Link> : <span>{crumb.label}</span>}
            </li>
          ))}
          <li className={crumbs.length > 0 ? 'wide-only' : undefined}>
            <span aria-current="page">{title}</span>
          </li>
        </ol>
      </nav>
      {/* A page may put its own controls here (`PageControls`). */}
      <div className="topbar__page" id="page-controls" />
      <div className="topbar__end">
        <LiveMark />
        <button type="button" className="search-open wide-only" aria-haspopup="dialog" onClick={onSearch}>
          <Icon icon={Search} />
          {search}
          <kbd>{apple ? '⌘ K' : 'Ctrl K'}</kbd>
        </button>
        <IconButton
          className="narrow-only"
          label={search}
          icon={Search}
          aria-haspopup="dialog"
          onClick={onSearch}
        />
      </div>
    </header>
  );
}
