import { useQueryClient } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import { Inbox, Layers, Pencil, Plus, SquareKanban } from 'lucide-react';
import { Link } from 'react-router';
import { useLive } from '../api/live';
import type { ProjectTile } from '../api/types';
import { usePage } from '../app/page-frame';
import { mayAdminister, useFlag, useProjects } from '../app/session';
import { ButtonLink } from '../components/button';
import { EmptyState } from '../components/empty-state';
import { Glyph, Icon } from '../components/icon';
import { LoadProblem, PageHead } from '../components/page';
import { Skeleton } from '../components/progress';
import { RelativeTime } from '../components/relative-time';

/** Own and shared projects, newest activity first. */
export default function ProjectsPage() {
  usePage('Projects');
  const queries = useQueryClient();
  const { data: projects, error, refetch } = useProjects();
  useLive(['me'], () => void queries.invalidateQueries({ queryKey: ['projects'] }));

  return (
    <>
      <PageHead
        title="Projects"
        aside={projects && projects.length > 0 && <span className="page-sub num">{projects.length}</span>}
        actions={
          <ButtonLink to="/projects/new" variant="primary" icon={Plus}>
            New project
          </ButtonLink>
        }
      />
      <div className="page-body" data-width="full">
        {!projects && error && <LoadProblem error={error} onRetry={() => void refetch()} />}
        {!projects && !error && <Skeleton lines={6} />}
        {projects?.length === 0 && (
          <EmptyState
            icon={Layers}
            title="No project yet"
            actions={
              <ButtonLink to="/welcome" variant="primary">
                Start with your first project
              </ButtonLink>
            }
          >
            A project holds the documents of one product or repository. Add one and connect your agent to it;
            it takes about three minutes. Projects that others share with you show here too.
          </EmptyState>
        )}
        {projects && projects.length > 0 && (
          <ul className="project-tiles">
            {projects.map((project) => (
              <Tile key={project.id} project={project} />
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

function Tile({ project }: { readonly project: ProjectTile }) {
  const { counts } = project;
  const inbox = useFlag('inbox.enabled');
  const board = useFlag('board.enabled');
  return (
    <li className="project-tile stretch">
      <div className="row" data-nowrap="">
        <h2 dir="auto">
          <Link className="row-title" to={`/projects/${project.id}`}>
            {project.name}
          </Link>
        </h2>
        {mayAdminister(project.role) && (
          <Link
            className="btn push"
            data-icon=""
            data-size="sm"
            data-variant="ghost"
            to={`/projects/${project.id}/settings`}
            aria-label={`Edit ${project.name}`}
            title={`Edit ${project.name}`}
          >
            <Icon icon={Pencil} />
          </Link>
        )}
      </div>
      {project.role !== 'owner' && (
        <p className="small muted">{`${roleWord(project.role)}, shared by ${project.ownerName}`}</p>
      )}
      {project.description && (
        <p className="project-tile__text" dir="auto">
          {project.description}
        </p>
      )}
      <p className="project-tile__foot">
        {counts.documentsToReview ? (
          <span className="meta num">
            <Glyph name="needs-review" tone="warn" />
            {counts.documentsToReview} to review
          </span>
        ) : (
          counts.documentsToReview === 0 && <span>Nothing to review</span>
        )}
        {inbox && <Count icon={Inbox} n={counts.openItems} one="open item" many="open items" />}
        {board && <Count icon={SquareKanban} n={counts.openCards} one="open card" many="open cards" />}
        {project.lastActivityAt && (
          <span className="push">
            <span className="visually-hidden">Last activity </span>
            <RelativeTime at={project.lastActivityAt} />
          </span>
        )}
      </p>
    </li>
  );
}

interface CountProps {
  readonly icon: LucideIcon;
  readonly n: number | null;
  readonly one: string;
  readonly many: string;
}

function Count({ icon, n, one, many }: CountProps) {
  if (n === null) return null;
  return (
    <span className="meta num">
      <Icon icon={icon} />
      {n} {n === 1 ? one : many}
    </span>
  );
}

function roleWord(role: ProjectTile['role']): string {
  return role.charAt(0).toUpperCase() + role.slice(1);
}
