import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Outlet, ScrollRestoration, useLocation } from 'react-router';
import { ApiProblem } from '../api/problem';
import { listenForKeys } from '../app/keys';
import { loadAhead } from '../app/new-release';
import { usePageFrame } from '../app/page-frame';
import { sessionQuery } from '../app/session';
import { Announcer } from '../components/announcer';
import { Button } from '../components/button';
import { GlyphSheet } from '../components/icon';
import { Skeleton } from '../components/progress';
import { Toasts } from '../components/toast';
import { GatePage } from './gate-page';
import { ServerBanner } from './server-banner';
import { ShellKeys } from './shell-keys';
import { Sidebar } from './sidebar';
import { TopBar } from './top-bar';

const loadPalette = () => import('./command-palette');
const loadKeysHelp = () => import('./keys-help');
const CommandPalette = lazy(() => loadPalette().then((module) => ({ default: module.CommandPalette })));
const KeysHelp = lazy(() => loadKeysHelp().then((module) => ({ default: module.KeysHelp })));

/** Everything round a page: skip link, sidebar, top bar, palette, keys, messages. */
export function Shell() {
  const { data: session, error, refetch } = useQuery(sessionQuery);
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <GlyphSheet />
      {session ? (
        <Frame shortcuts={session.person.shortcuts} />
      ) : (
        <main className="gate" id="main" tabIndex={-1}>
          {error ? (
            <GatePage
              title="Loupe does not answer"
              actions={
                <Button variant="primary" onClick={() => void refetch()}>
                  Try again
                </Button>
              }
            >
              {error instanceof ApiProblem ? error.message : 'The page could not be started.'} This page goes
              on as soon as the server is back.
            </GatePage>
          ) : (
            <div className="gate__main">
              <div className="gate__box">
                <Skeleton lines={3} />
              </div>
            </div>
          )}
        </main>
      )}
      <Toasts />
      <Announcer />
    </>
  );
}

function Frame({ shortcuts }: { readonly shortcuts: boolean }) {
  const { rail } = usePageFrame();
  const { pathname } = useLocation();
  const [navOpen, setNavOpen] = useState(false);
  const [searching, setSearching] = useState(false);
  const [helping, setHelping] = useState(false);
  const navButton = useRef<HTMLButtonElement>(null);
  const main = useRef<HTMLElement>(null);
  const lastPath = useRef(pathname);

  useEffect(() => listenForKeys(() => shortcuts), [shortcuts]);

  // The first page does not wait for them, and nobody waits for them later.
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const load of [loadPalette, loadKeysHelp]) void loadAhead(load);
    }, 1_000);
    return () => clearTimeout(timer);
  }, []);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (
        (event.ctrlKey || event.metaKey) &&
        !event.altKey &&
        !event.shiftKey &&
        event.key.toLowerCase() === 'k'
      ) {
        event.preventDefault();
        setHelping(false);
        setSearching((open) => !open);
      }
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);

  // A new page begins at its top, for the eye and for assistive technology.
  useEffect(() => {
    if (lastPath.current === pathname) return;
    lastPath.current = pathname;
    setNavOpen(false);
    // What opened beside the page, such as a form in a drawer, has taken the focus for itself.
    const here = document.activeElement;
    if (!main.current?.contains(here) && !here?.closest('.drawer, dialog')) {
      main.current?.focus({ preventScroll: true });
    }
  }, [pathname]);

  const closeNav = () => setNavOpen(false);

  useEffect(() => {
    if (!navOpen) return;
    document.querySelector<HTMLElement>('#sidebar a')?.focus();
    const wide = window.matchMedia('(min-width: 56.01em)');
    const onWide = () => setNavOpen(false);
    wide.addEventListener('change', onWide);
    return () => {
      wide.removeEventListener('change', onWide);
      // Only now can the button take it: while the drawer is open, all but the drawer is inert.
      navButton.current?.focus();
    };
  }, [navOpen]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the scrim of the drawer is a pseudo element; Escape does the same
    <div
      className="shell"
      data-sidebar={rail ? 'rail' : undefined}
      data-nav={navOpen ? 'open' : 'closed'}
      onClick={(event) => {
        if (navOpen && event.target === event.currentTarget) closeNav();
      }}
      onKeyDown={(event) => {
        if (navOpen && event.key === 'Escape' && !event.defaultPrevented) closeNav();
      }}
    >
      <Sidebar rail={rail} onShowKeys={() => setHelping(true)} />
      <div className="shell__body" inert={navOpen}>
        <TopBar
          navButton={navButton}
          navOpen={navOpen}
          onOpenNav={() => setNavOpen(true)}
          onSearch={() => setSearching(true)}
        />
        <ServerBanner />
        <main className="main" id="main" tabIndex={-1} ref={main}>
          <Suspense
            fallback={
              <div className="page-body">
                <Skeleton />
              </div>
            }
          >
            <Outlet />
          </Suspense>
        </main>
      </div>
      <ShellKeys onSearch={() => setSearching(true)} onHelp={() => setHelping(true)} />
      <Suspense fallback={null}>
        {searching && (
          <CommandPalette onClose={() => setSearching(false)} onShowKeys={() => setHelping(true)} />
        )}
      </Suspense>
      <Suspense fallback={null}>
        {helping && <KeysHelp open onClose={() => setHelping(false)} shortcuts={shortcuts} />}
      </Suspense>
      <ScrollRestoration />
    </div>
  );
}
