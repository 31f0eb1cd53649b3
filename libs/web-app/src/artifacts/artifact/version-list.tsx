import { type KeyboardEvent, useRef } from 'react';
import { Link } from 'react-router';
import { Avatar } from '../../components/avatar';
import { size } from '../../components/format-size';
import { plural } from '../../components/plural';
import { RelativeTime } from '../../components/relative-time';
import type { VersionRow } from '../shapes';
import { SOURCES } from '../words';

export interface VersionListProps {
  readonly versions: readonly VersionRow[];
  readonly shown: number;
  readonly addressOf: (version: number) => string;
}

/** All versions, newest first. One stop of Tab; arrows, Home and End go through them. */
export function VersionList({ versions, shown, addressOf }: VersionListProps) {
  const list = useRef<HTMLOListElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const links = [...(list.current?.querySelectorAll<HTMLAnchorElement>('a') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    links[Math.max(0, Math.min(links.length - 1, to))]?.focus();
  };
  return (
    <ol className="vers" ref={list} onKeyDown={onKeyDown}>
      {versions.map((version) => (
        <li key={version.version}>
          <Link
            className="ver"
            to={addressOf(version.version)}
            replace
            tabIndex={version.version === shown ? 0 : -1}
            aria-current={version.version === shown || undefined}
          >
            <span className="ver__top">
              <b className="num">v{version.version}</b>
              {version.version === shown && <span className="tag">shown</span>}
              <RelativeTime className="push" at={version.createdAt} />
            </span>
            {version.notes && <span dir="auto">{version.notes}</span>}
            <span className="ver__foot">
              <Avatar name={version.createdBy} kind={byAgent(version) ? 'agent' : 'person'} size="sm" />
              <span dir="auto">
                {byAgent(version) && 'Agent for '}
                {version.createdBy}, {SOURCES[version.source] ?? version.source}
              </span>
              <span className="num">
                {plural(version.fileCount, 'file')}, {size(version.totalBytes)}
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ol>
  );
}

/** Worker runs are agents too: who speaks for a person is not that person. */
function byAgent({ createdByKind }: VersionRow): boolean {
  return createdByKind !== 'person';
}
