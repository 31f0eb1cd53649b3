import { RotateCcw, X } from 'lucide-react';
import { Banner } from '../../components/banner';
import { Button } from '../../components/button';
import type { ArtifactDetail } from '../shapes';
import { ORIGINS } from '../words';

export interface GenerationProps {
  readonly artifact: ArtifactDetail;
  readonly onCancel: () => void;
  readonly onRetry: () => void;
}

/** What is being made, or why it was not. */
export function Generation({ artifact, onCancel, onRetry }: GenerationProps) {
  const { job } = artifact;
  if (artifact.status === 'generating') {
    const progress = job?.progress ?? 0;
    return (
      <section className="generation" aria-label="Generation">
        <div className="stack" data-fill="" data-gap="tight">
          <p role="status">
            <b>Being generated</b> {ORIGINS[artifact.origin].toLowerCase()}
            {job?.generator && <span className="muted">, by {job.generator}</span>}
            {job?.state === 'queued' ? ', waiting for its turn' : <span className="num">, {progress} %</span>}
          </p>
          <progress className="progress" value={progress} max={100} aria-label="Generated" />
        </div>
        {artifact.can.write && (
          <Button size="sm" icon={X} onClick={onCancel}>
            Cancel
          </Button>
        )}
      </section>
    );
  }
  const figma = artifact.origin === 'f2c';
  return (
    <Banner
      tone="bad"
      actions={
        artifact.can.write &&
        !figma && (
          <Button size="sm" icon={RotateCcw} onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      {artifact.error ?? 'The generation failed.'}
      {figma &&
        ' Ask the agent to call artifact_create again: the Figma token of the first call was not kept.'}
    </Banner>
  );
}
