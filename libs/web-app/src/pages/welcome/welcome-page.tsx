import { useEffect, useState } from 'react';
import { Navigate, useNavigate } from 'react-router';
import { usePage } from '../../app/page-frame';
import { useProjects, useSession } from '../../app/session';
import { ButtonLink } from '../../components/button';
import { LoadProblem } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { NewProjectForm } from '../new-project-form';
import { Wizard } from './wizard';

/** First step for a person with no project. With one already there, it leads to it. */
export default function WelcomePage() {
  usePage('Welcome');
  const go = useNavigate();
  const { person } = useSession();
  const { data: projects, error, refetch } = useProjects();
  const [creating, setCreating] = useState(false);
  // Somebody who goes back before the next page was drawn finds this one as it was left: its project is made already.
  useEffect(() => {
    const onBack = () => setCreating(false);
    window.addEventListener('popstate', onBack);
    return () => window.removeEventListener('popstate', onBack);
  }, []);
  if (!projects) {
    return (
      <div className="page-body">
        {error ? <LoadProblem error={error} onRetry={() => void refetch()} /> : <Skeleton />}
      </div>
    );
  }
  const first = projects[0];
  if (first && !creating) return <Navigate replace to={`/projects/${first.id}`} />;
  return (
    <Wizard
      step={0}
      title={`Welcome, ${person.displayName}`}
      sub="Start with a project: the product or repository that you and your agents work on."
    >
      <div onSubmitCapture={() => setCreating(true)}>
        <NewProjectForm
          onCreated={(project) => void go(`/welcome/connect?project=${project.id}`)}
          actions={<ButtonLink to="/projects">Skip for now</ButtonLink>}
        />
      </div>
    </Wizard>
  );
}
