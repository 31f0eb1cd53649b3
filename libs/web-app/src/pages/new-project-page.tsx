import { useNavigate } from 'react-router';
import { usePage } from '../app/page-frame';
import { ButtonLink } from '../components/button';
import { PageHead } from '../components/page';
import { NewProjectForm } from './new-project-form';

export default function NewProjectPage() {
  usePage('New project', [{ label: 'Projects', to: '/projects' }]);
  const go = useNavigate();
  return (
    <>
      <PageHead
        title="New project"
        sub="A project holds the documents of one product or repository, and who works on it."
      />
      <div className="page-body" data-width="form">
        <NewProjectForm
          onCreated={(project) => void go(`/projects/${project.id}`)}
          actions={<ButtonLink to="/projects">Cancel</ButtonLink>}
        />
      </div>
    </>
  );
}
