import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { Navigate } from 'react-router';
import { usePage } from '../../app/page-frame';
import { ButtonLink } from '../../components/button';
import { CodeBlock } from '../../components/code-block';
import { Icon } from '../../components/icon';
import { LoadProblem } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { Arrival, useMachines } from '../project/arrival';
import { connectQuery } from '../project/connect-data';
import { ConnectHint } from '../project/connect-hint';
import { Wizard } from './wizard';
import { useWizardProject } from './wizard-project';

/** Second step: an agent. What Loupe sees of it shows live. */
export default function WelcomeConnectPage() {
  usePage('Connect your agent');
  const { loading, project } = useWizardProject();
  if (loading) {
    return (
      <div className="page-body">
        <Skeleton />
      </div>
    );
  }
  if (!project) return <Navigate replace to="/welcome" />;
  return <Step projectId={project.id} name={project.name} />;
}

function Step({ projectId, name }: { readonly projectId: string; readonly name: string }) {
  const { data: info, error, refetch } = useQuery(connectQuery(projectId));
  const { data: machines = [] } = useMachines(projectId);
  const arrived = machines.some((each) => each.usedThisProjectAt !== null);
  const done = `/welcome/done?project=${projectId}`;
  return (
    <Wizard
      step={1}
      title="Connect your agent"
      sub={
        <>
          One command connects your agent to <b dir="auto">{name}</b>. It takes about three minutes.
        </>
      }
    >
      {!info && error && <LoadProblem error={error} onRetry={() => void refetch()} />}
      <section className="stack" data-fill="" aria-labelledby="init">
        <h2 id="init">Run this in your repository</h2>
        {info ? <CodeBlock lead code={info.initCommand} what="command" /> : <Skeleton lines={2} />}
        <ConnectHint name={name} />
      </section>
      {info && (
        <div className="folds">
          <details>
            <summary>
              <Icon icon={ChevronRight} flip />
              Or let your agent do it, with a prompt
            </summary>
            <div>
              <CodeBlock code={info.setupPrompt} what="setup prompt" />
            </div>
          </details>
          {info.otherWays.slice(0, 1).map((way) => (
            <details key={way.title}>
              <summary>
                <Icon icon={ChevronRight} flip />
                {way.title}
              </summary>
              <div>
                {way.note && <p>{way.note}</p>}
                <CodeBlock code={way.command} what="commands" />
              </div>
            </details>
          ))}
        </div>
      )}
      <section className="stack" data-fill="" aria-labelledby="arrive">
        <h2 id="arrive">What Loupe sees</h2>
        <Arrival projectId={projectId} />
      </section>
      <div className="row">
        <ButtonLink to={done} variant={arrived ? 'primary' : undefined}>
          {arrived ? 'Go on' : 'Skip for now'}
        </ButtonLink>
      </div>
    </Wizard>
  );
}
