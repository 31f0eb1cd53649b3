import { useLiveState } from '../api/live';
import { serverState } from '../api/server-state';
import { useStore } from '../app/store';
import { Chip } from '../components/chip';

/** Whether this page hears of changes by itself. Nothing is said where there is nothing to hear. */
export function LiveMark() {
  const heard = useLiveState();
  // An open stream notices late that nothing comes through it any more; a request notices at once.
  const away = useStore(serverState) === 'away';
  const state = heard === 'live' && away ? 'reconnecting' : heard;
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
