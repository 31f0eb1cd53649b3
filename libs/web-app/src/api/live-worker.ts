import { LiveHub, type Page, SILENT_AFTER_MS, type ToHub } from './live-hub';

/** Runs once for all pages of a browser and holds their event stream. */
const hub = new LiveHub({ open: (url) => new EventSource(url) });

const scope = self as unknown as { onconnect: ((event: MessageEvent) => void) | null };

scope.onconnect = (event) => {
  const port = event.ports[0];
  if (!port) return;
  const page: Page = { post: (message) => port.postMessage(message) };
  port.onmessage = ({ data }: MessageEvent<ToHub>) => hub.hear(page, data);
};

setInterval(() => hub.sweep(), SILENT_AFTER_MS / 3);
