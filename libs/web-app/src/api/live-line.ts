import { type FromHub, REPEAT_EVERY_MS, type ToHub } from './live-hub';
import { type LiveMessage, type LiveState, LiveStream } from './live-stream';

/** How this page reaches the event stream. */
export interface LiveLine {
  want(topics: readonly string[]): void;
  close(): void;
}

export interface LiveLineOptions {
  readonly onMessage: (message: LiveMessage) => void;
  readonly onState: (state: LiveState) => void;
}

/** Through the worker that all pages share; where there is none, with a stream of this page. */
export function openLiveLine(options: LiveLineOptions): LiveLine {
  if (typeof SharedWorker === 'undefined') return ownLine(options);
  let line = sharedLine(options, (topics) => {
    // The worker did not start, for example because its file is gone after a deploy.
    line = ownLine(options);
    line.want(topics);
  });
  return { want: (topics) => line.want(topics), close: () => line.close() };
}

function ownLine({ onMessage, onState }: LiveLineOptions): LiveLine {
  const stream = new LiveStream({ open: (url) => new EventSource(url), onMessage, onState });
  return { want: (topics) => stream.want(topics), close: () => stream.want([]) };
}

function sharedLine(
  { onMessage, onState }: LiveLineOptions,
  onBroken: (topics: readonly string[]) => void,
): LiveLine {
  const worker = new SharedWorker(new URL('./live-worker.ts', import.meta.url), {
    type: 'module',
    name: 'loupe-live',
  });
  const say = (words: ToHub) => worker.port.postMessage(words);
  let wanted: readonly string[] = [];

  worker.port.onmessage = ({ data }: MessageEvent<FromHub>) => {
    if ('message' in data) onMessage(data.message);
    else onState(data.state);
  };
  const repeat = setInterval(() => say({ topics: wanted }), REPEAT_EVERY_MS);
  const onHide = () => say({ bye: true });
  const onShow = (event: PageTransitionEvent) => {
    if (!event.persisted) return;
    // Back from the cache of the browser: what happened meanwhile was not heard.
    say({ topics: wanted });
    onMessage({ type: 'resync' });
  };
  window.addEventListener('pagehide', onHide);
  window.addEventListener('pageshow', onShow);

  const close = () => {
    clearInterval(repeat);
    window.removeEventListener('pagehide', onHide);
    window.removeEventListener('pageshow', onShow);
    say({ bye: true });
    worker.port.close();
  };
  worker.onerror = () => {
    close();
    onBroken(wanted);
  };
  return {
    want(topics) {
      wanted = topics;
      say({ topics });
    },
    close,
  };
}
