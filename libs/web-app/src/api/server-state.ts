import { createStore } from '../app/store';

export type ServerState = 'here' | 'away';

/** Whether the last request reached the server; the shell shows a banner while it does not. */
export const serverState = createStore<ServerState>('here');

export function reportServer(state: ServerState): void {
  serverState.set(state);
}
