import { Workflow } from 'lucide-react';
import { Banner } from '../components/banner';
import { EmptyState } from '../components/empty-state';
import type { Engine } from './api';

/** What the workflow does not do yet, in the words of the server. */
export function EngineNotice({ engine }: { readonly engine: Engine }) {
  return engine.notice ? <Banner tone="neutral">{engine.notice}</Banner> : null;
}

/** For a project without a template. */
export function NoWorkflow({ sentence }: { readonly sentence: string }) {
  return (
    <div className="panel">
      <EmptyState icon={Workflow} title="No workflow" level={2}>
        {sentence} Cards can be moved anywhere by hand.
      </EmptyState>
    </div>
  );
}
