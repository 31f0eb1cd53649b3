import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router';
import { usePage } from '../../app/page-frame';
import { useSession } from '../../app/session';
import { ButtonLink } from '../../components/button';
import { CodeBlock } from '../../components/code-block';
import { LoadProblem } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { Arrival, useMachines } from '../project/arrival';
import { connectQuery } from '../project/connect-data';
import { Wizard } from './wizard';
import { useWizardProject } from './wizard-project';

/** Second step: a machine. What Loupe sees of it shows live. */
export default function WelcomeConnectPage() {
  usePage('Connect a machine');
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
  const { defaultUri } = useSession();
  const { data: info, error, refetch } = useQuery(connectQuery(projectId));
  const { data: machines = [] } = useMachines(projectId);
  const arrived = machines.some((each) => each.usedThisProjectAt !== null);
  const done = `/welcome/done?project=${projectId}`;
  return (
    <Wizard
      step={1}
      title="Connect a machine"
      sub={
        <>
          Two lines in a terminal connect your agent to <b dir="auto">{name}</b>. It takes about three
          minutes.
        </>
      }
    >
      {!info && error && <LoadProblem error={error} onRetry={() => void refetch()} />}
      <section className="stack" data-fill="" aria-labelledby="install">
        <h2 id="install">1. Install the loupe command</h2>
        <CodeBlock code={`curl -fsSL ${defaultUri}/install.sh | sh`} what="install line" />
      </section>
      <section className="stack" data-fill="" aria-labelledby="init">
        <h2 id="init">2. Run this in your repository</h2>
        {info ? <CodeBlock lead code={info.initCommand} what="command" /> : <Skeleton lines={2} />}
      </section>
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
