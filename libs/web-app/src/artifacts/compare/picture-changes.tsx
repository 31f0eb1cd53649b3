import { useId, useMemo, useState } from 'react';
import { artifactsApi } from '../api';
import type { FileChangesProps } from './file-changes';

type Way = 'beside' | 'swipe' | 'overlay';

/** Two pictures: beside each other, one swiped over the other, or one shining through. */
export function PictureChanges({ projectId, artifactId, from, to, file }: FileChangesProps) {
  const api = useMemo(() => artifactsApi(projectId), [projectId]);
  const [way, setWay] = useState<Way>('beside');
  const [share, setShare] = useState(50);
  const slider = useId();
  const before = file.from ? api.fileAddress(artifactId, from, file.path) : null;
  const after = file.to ? api.fileAddress(artifactId, to, file.path) : null;
  if (!before || !after) {
    return (
      <div className="file-picture">
        <img src={(after ?? before) as string} alt={`${file.path}, ${after ? 'added' : 'removed'}`} />
      </div>
    );
  }
  return (
    <div className="pictures">
      <div className="row">
        {/* biome-ignore lint/a11y/useSemanticElements: a group of toggle buttons, not a set of fields */}
        <span className="segmented" role="group" aria-label="How to compare the pictures">
          <button type="button" aria-pressed={way === 'beside'} onClick={() => setWay('beside')}>
            Side by side
          </button>
          <button type="button" aria-pressed={way === 'swipe'} onClick={() => setWay('swipe')}>
            Swipe
          </button>
          <button type="button" aria-pressed={way === 'overlay'} onClick={() => setWay('overlay')}>
            Overlay
          </button>
        </span>
        {way !== 'beside' && (
          <label className="row" htmlFor={slider}>
            <span className="small">
              {way === 'swipe' ? 'Newer picture from' : 'Newer picture shines through'}
            </span>
            <input
              id={slider}
              type="range"
              min={0}
              max={100}
              value={share}
              onChange={(event) => setShare(Number(event.target.value))}
            />
            <span className="small num">{share} %</span>
          </label>
        )}
      </div>
      {way === 'beside' ? (
        <div className="pictures__pair">
          <figure>
            <img src={before} alt={`${file.path} in version ${from}`} />
            <figcaption>Version {from}</figcaption>
          </figure>
          <figure>
            <img src={after} alt={`${file.path} in version ${to}`} />
            <figcaption>Version {to}</figcaption>
          </figure>
        </div>
      ) : (
        <div className="pictures__stack">
          <img src={before} alt={`${file.path} in version ${from}`} />
          <img
            ref={(element) => {
              if (!element) return;
              element.style.opacity = way === 'overlay' ? String(share / 100) : '1';
              element.style.clipPath = way === 'swipe' ? `inset(0 0 0 ${share}%)` : 'none';
            }}
            src={after}
            alt={`${file.path} in version ${to}`}
          />
        </div>
      )}
    </div>
  );
}
