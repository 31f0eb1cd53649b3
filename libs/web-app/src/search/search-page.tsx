import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { FileText, Kanban, Search, SearchX } from 'lucide-react';
import type { FormEvent } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { ApiProblem, sentenceOf } from '../api/problem';
import { usePage } from '../app/page-frame';
import { useProjects } from '../app/session';
import { Banner } from '../components/banner';
import { Button, ButtonLink } from '../components/button';
import { EmptyState } from '../components/empty-state';
import { SearchInput, Select } from '../components/field';
import { Icon } from '../components/icon';
import { PageHead } from '../components/page';
import { plural } from '../components/plural';
import { Skeleton } from '../components/progress';
import { NotFoundPage } from '../pages/not-found-page';
import { searchPath, searchQuery } from './api';
import { FoundMark } from './found-mark';
import { MarkedText } from './marked-text';
import './search.css';
import { useSearchProject } from './search-project';
import type { Found, FoundThing } from './shapes';

/** Cards, documents and pages that were found, in one project or in all. */
export default function SearchPage() {
  const [address] = useSearchParams();
  const go = useNavigate();
  const { data: projects = [] } = useProjects();
  const project = useSearchProject();
  const words = (address.get('q') ?? '').trim();
  const projectId = address.get('project') || null;
  const page = Math.max(1, Number.parseInt(address.get('page') ?? '1', 10) || 1);
  usePage(
    words === '' ? 'Search' : `Search: ${words.slice(0, 60)}`,
    project ? [{ label: project.name, to: `/projects/${project.id}` }] : [],
  );
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    ...searchQuery({ words, projectId, page }),
    placeholderData: keepPreviousData,
  });

  if (error instanceof ApiProblem && error.isNotFound) return <NotFoundPage />;

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const next = searchPath({
      words: String(typed.get('q') ?? '').trim(),
      projectId: String(typed.get('project') ?? '') || null,
    });
    if (next === searchPath({ words, projectId, page })) void refetch();
    else void go(next);
  };

  return (
    <>
      <PageHead title="Search" />
      <search>
        {/* The fields keep their own text; another address fills them anew. */}
        <form key={address.toString()} className="search-form" aria-label="Search" onSubmit={submit}>
          <SearchInput
            name="q"
            aria-label="Search words"
            placeholder="Words, “exact phrase”, OR, −without, #12"
            defaultValue={words}
            autoFocus={words === ''}
          />
          <Select
            name="project"
            aria-label="Where"
            defaultValue={projectId ?? ''}
            onChange={(event) => event.currentTarget.form?.requestSubmit()}
          >
            <option value="">All projects</option>
            {projects.map((each) => (
              <option key={each.id} value={each.id}>
                {each.name}
              </option>
            ))}
          </Select>
          {/* A page that just opens has not been asked for anything by this button. */}
          <Button type="submit" variant="primary" icon={Search} busy={isFetching && data !== undefined}>
            Search
          </Button>
        </form>
      </search>
      <div className="found" aria-busy={isPlaceholderData || undefined}>
        {error && !isFetching ? (
          <Banner
            tone="bad"
            alert
            actions={
              <Button size="sm" onClick={() => void refetch()}>
                Search
              </Button>
            }
          >
            Search failed. {sentenceOf(error)}
          </Banner>
        ) : data ? (
          <Results found={data} words={words} projectId={projectId} wide={project === null} />
        ) : (
          <Skeleton lines={6} />
        )}
      </div>
    </>
  );
}

interface ResultsProps {
  readonly found: Found;
  readonly words: string;
  readonly projectId: string | null;
  /** All projects were searched, so each result names its own. */
  readonly wide: boolean;
}

function Results({ found, words, projectId, wide }: ResultsProps) {
  const { pages, results, page, hasMore, cut } = found;
  const everywhere = projectId !== null && found.query !== '' && (
    <Link to={searchPath({ words, projectId: null })}>Search all projects</Link>
  );
  const groups = [...new Set(results.map(({ kind }) => kind))];
  const nothing = results.length === 0 && pages.length === 0;
  return (
    <>
      <p className="hint" role="status">
        {found.query !== '' && !nothing && `${countsOf(results)} on this page`}
        {cut && ` Only the first 200 characters were looked for.`}
      </p>
      {nothing && page > 1 ? (
        <EmptyState icon={SearchX} title="No more results">
          This page lies behind the last one.
        </EmptyState>
      ) : nothing && found.query !== '' ? (
        <EmptyState
          icon={SearchX}
          title="Nothing matches"
          actions={
            projectId !== null && (
              <ButtonLink to={searchPath({ words, projectId: null })}>Search all projects</ButtonLink>
            )
          }
        >
          No card and no document has all of these words. Try fewer words, or put OR between them.
        </EmptyState>
      ) : null}
      {pages.length > 0 && (
        <section aria-labelledby="found-pages">
          <h2 id="found-pages">Pages</h2>
          <div className="found__pages">
            {pages.map((each) => (
              <ButtonLink key={each.url} size="sm" to={each.url}>
                {each.title}
              </ButtonLink>
            ))}
          </div>
        </section>
      )}
      {groups.map((kind) => (
        <section key={kind} aria-labelledby={`found-${kind}`}>
          <h2 id={`found-${kind}`}>{kind === 'card' ? 'Cards' : 'Documents'}</h2>
          <ul>
            {results
              .filter((each) => each.kind === kind)
              .map((each) => (
                <Row key={each.url} thing={each} wide={wide} />
              ))}
          </ul>
        </section>
      ))}
      {found.query === '' && (
        <p className="found__ways hint">
          Finds words in titles and texts, whatever their ending, also in archived documents and finished
          cards.
        </p>
      )}
      {(page > 1 || hasMore) && (
        <nav className="found__ways" aria-label="Pages of results">
          {page > 1 && (
            <ButtonLink to={searchPath({ words, projectId, page: page - 1 })}>Previous</ButtonLink>
          )}
          <span className="num muted">Page {page}</span>
          {hasMore && <ButtonLink to={searchPath({ words, projectId, page: page + 1 })}>Next</ButtonLink>}
        </nav>
      )}
      {!nothing && everywhere && <p className="found__ways">{everywhere}</p>}
    </>
  );
}

function Row({ thing, wide }: { readonly thing: FoundThing; readonly wide: boolean }) {
  return (
    <li className="found__row stretch">
      <Icon icon={thing.kind === 'card' ? Kanban : FileText} />
      <div>
        <Link className="row-title" to={thing.url} dir="auto">
          {thing.number !== null && <span className="num muted">#{thing.number} </span>}
          <MarkedText html={thing.titleMarked} />
        </Link>
        {thing.snippet !== null && (
          <p dir="auto">
            <MarkedText html={thing.snippet} />
          </p>
        )}
        {wide && <small dir="auto">{thing.projectName}</small>}
      </div>
      <FoundMark thing={thing} />
    </li>
  );
}

function countsOf(results: readonly FoundThing[]): string {
  const cards = results.filter(({ kind }) => kind === 'card').length;
  const documents = results.length - cards;
  return [cards > 0 && plural(cards, 'card'), documents > 0 && plural(documents, 'document')]
    .filter(Boolean)
    .join(' and ')
    .concat(results.length === 0 ? 'No card and no document' : '');
}
