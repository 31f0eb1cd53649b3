import { Navigate } from 'react-router';
import { usePage } from '../../app/page-frame';
import { ButtonLink } from '../../components/button';
import { CodeBlock } from '../../components/code-block';
import { Skeleton } from '../../components/progress';
import { useMachines } from '../project/arrival';
import { Wizard } from './wizard';
import { useWizardProject } from './wizard-project';

/** Last step: what to do with it. */
export default function WelcomeDonePage() {
  usePage('Ready');
  const { loading, project } = useWizardProject();
  if (loading) {
    return (
      <div className="page-body">
        <Skeleton />
      </div>
    );
  }
  if (!project) return <Navigate replace to="/welcome" />;
  return <Done id={project.id} name={project.name} />;
}

function Done({ id, name }: { readonly id: string; readonly name: string }) {
  const { data: machines } = useMachines(id);
  const withoutAgent = machines !== undefined && !machines.some((each) => each.usedThisProjectAt !== null);
  const base = `/projects/${id}`;
  return (
    <Wizard
      step={2}
      withoutAgent={withoutAgent}
      title={
        <>
          <span dir="auto">{name}</span> is ready
        </>
      }
      sub={`${withoutAgent ? 'Connect your agent, and ask it' : 'Ask your agent'} for something you want to read before it is built. It files a document here, and you review it.`}
    >
      <section className="stack" data-fill="" aria-labelledby="try">
        <h2 id="try">Try this in your agent</h2>
        <CodeBlock
          code="Write a short plan for the next change in this repository and file it as a document in Loupe, so that I can review it there."
          what="prompt"
        />
      </section>
      <div className="row">
        <ButtonLink to={base} variant="primary">
          Open the Workshop
        </ButtonLink>
        <ButtonLink to={`${base}/documents/new`}>Write a document yourself</ButtonLink>
        <ButtonLink to={`${base}/connect`}>Connect page</ButtonLink>
      </div>
      <p className="hint">
        What happens next is told step by step in the guide{' '}
        <a href="/docs/getting-started">Getting started</a>.
      </p>
    </Wizard>
  );
}
