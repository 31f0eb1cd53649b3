import { useQuery } from '@tanstack/react-query';
import { ChevronRight, Laptop } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Machine } from '../../api/types';
import { useCurrentProject } from '../../app/current-project';
import { usePage } from '../../app/page-frame';
import { CodeBlock } from '../../components/code-block';
import { EmptyState } from '../../components/empty-state';
import { Glyph, Icon } from '../../components/icon';
import { LoadProblem, PageHead } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { Arrival, useMachines } from './arrival';
import { connectQuery } from './connect-data';
import { ConnectHint } from './connect-hint';

/** How a machine and its agents get into this project, and which ones are. Nothing here is a secret. */
export default function ConnectPage() {
  const project = useCurrentProject();
  usePage('Connect', [{ label: project.name, to: `/projects/${project.id}` }]);
  const { data: info, error, refetch } = useQuery(connectQuery(project.id));
  const machines = useMachines(project.id);

  return (
    <>
      <PageHead
        title={
          <>
            Connect an agent to <span dir="auto">{project.name}</span>
          </>
        }
        sub="One command adds Loupe to your agent. It signs in through your browser, and you choose this project there."
      />
      <div className="connect">
        {!info && error && <LoadProblem error={error} onRetry={() => void refetch()} />}
        <section aria-labelledby="run">
          <h2 id="run">1. Run this in your repository</h2>
          {info ? (
            <CodeBlock lead code={info.initCommand} what="command" />
          ) : (
            !error && <Skeleton lines={2} />
          )}
          <ConnectHint name={project.name}>
            Another agent? See <a href="#other">other ways</a>.
          </ConnectHint>
        </section>
        <section aria-labelledby="arrive">
          <div className="section-head">
            <h2 id="arrive">2. See it arrive</h2>
            <span className="small muted row" data-gap="tight">
              <Glyph name="working" size="sm" tone="accent" />
              Watching for your agents
            </span>
          </div>
          <Arrival projectId={project.id} />
        </section>
        <section aria-labelledby="machines">
          <div className="section-head">
            <h2 id="machines">Your machines</h2>
          </div>
          <Machines machines={machines.data} />
        </section>
        {info && (
          <section aria-labelledby="other">
            <h2 id="other" tabIndex={-1}>
              Other ways to connect
            </h2>
            <div className="folds">
              <Fold title="Let your agent do it, with a prompt">
                <CodeBlock code={info.setupPrompt} what="setup prompt" />
              </Fold>
              {info.otherWays.map((way) => (
                <Fold key={way.title} title={way.title}>
                  {way.note && <p>{way.note}</p>}
                  <CodeBlock code={way.command} what={`command: ${way.title}`} />
                </Fold>
              ))}
            </div>
          </section>
        )}
        {info && (
          <section aria-labelledby="tools">
            <div className="section-head">
              <h2 id="tools">Tools that your agent gets</h2>
              <span className="small muted num">{info.tools.length}</span>
            </div>
            <p className="hint">
              What each takes and answers is in the guide <a href="/docs/mcp#tools">The MCP endpoint</a>.
            </p>
            <dl className="tools">
              {info.tools.map((tool) => (
                <div key={tool.name}>
                  <dt>
                    <a href={`/docs/mcp#${tool.name}`}>
                      <code>{tool.name}</code>
                    </a>
                  </dt>
                  <dd className="small">{tool.description}</dd>
                </div>
              ))}
            </dl>
          </section>
        )}
      </div>
    </>
  );
}

function Fold({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <details>
      <summary>
        <Icon icon={ChevronRight} flip />
        {title}
      </summary>
      <div>{children}</div>
    </details>
  );
}

function Machines({ machines }: { readonly machines: readonly Machine[] | undefined }) {
  if (!machines) return <Skeleton lines={2} />;
  if (machines.length === 0) {
    return (
      <div className="panel">
        <EmptyState icon={Laptop} title="No machine yet" level={3}>
          Run the command above. The machine shows here as soon as it has signed in.
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="panel">
      <table className="table" data-inset="" data-narrow="stack">
        <caption className="visually-hidden">Your machines</caption>
        <thead>
          <tr>
            <th scope="col">Machine</th>
            <th scope="col">App</th>
            <th scope="col">Last seen</th>
            <th scope="col">This project</th>
          </tr>
        </thead>
        <tbody>
          {machines.map((machine) => (
            <tr key={machine.connectionId}>
              <th scope="row">
                <span className="row" data-nowrap="">
                  <Icon icon={Laptop} />
                  <span>
                    <span dir="auto">{machine.label ?? machine.clientName}</span>
                    <br />
                    <span className="faint small">
                      Signed in <RelativeTime at={machine.signedInAt} />
                    </span>
                  </span>
                </span>
              </th>
              <td className="muted">{machine.clientName}</td>
              <td className="muted nowrap" data-label="Last seen">
                {machine.lastSeenAt ? <RelativeTime at={machine.lastSeenAt} /> : 'unknown'}
              </td>
              <td data-label="This project">
                {machine.usedThisProjectAt ? (
                  <>
                    Used <RelativeTime at={machine.usedThisProjectAt} />
                  </>
                ) : (
                  <span className="muted">Not used yet</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
