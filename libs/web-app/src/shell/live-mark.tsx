import { useLiveState } from '../api/live';
import { Chip } from '../components/chip';

/** Whether this page hears of changes by itself. Nothing is said where there is nothing to hear. */
export function LiveMark() {
  const state = useLiveState();
  return (
    <span className="live-mark" role="status" data-state={state}>
      {state === 'live' && (
        <Chip variant="plain" tone="good" glyph="done">
          <span className="live-mark__word">Live</span>
        </Chip>
      )}
      {state === 'connecting' && <span className="visually-hidden">Connecting</span>}
      {state === 'reconnecting' && (
        <Chip variant="plain" tone="accent" glyph="working">
          Reconnecting
        </Chip>
      )}
      {state === 'off' && (
        <span title="Live updates are switched off on this instance. The page refreshes when you come back to it.">
          <Chip variant="plain" tone="neutral" glyph="stopped">
            Not live
          </Chip>
        </span>
      )}
    </span>
  );
}
