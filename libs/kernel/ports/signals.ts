/** Channels of `platform.md` 8.4. */
export type SignalChannel = 'flags' | 'live' | 'access' | 'push' | 'outbox' | 'artifact_status';

export type SignalPayload = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** Wake-ups between processes over LISTEN/NOTIFY. Ids only, at most 1,000 bytes; a lost one costs delay and nothing else. */
export abstract class Signals {
  /** Arrives only after the commit of the running transaction; at once when there is none. */
  abstract publish(channel: SignalChannel, payload: SignalPayload): Promise<void>;
  abstract subscribe(channel: SignalChannel, handler: (payload: SignalPayload) => void): () => void;
  /** Called after the connection was lost and is back: read the state anew. */
  abstract onResync(handler: () => void): () => void;
  /** Whether the listening connection is up. */
  abstract readonly connected: boolean;
}
