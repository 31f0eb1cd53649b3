import type { Connection } from '../../domain/connection.js';

/** Which live connections a change is about. */
export type ConnectionSelection =
  | { readonly id: string; readonly personId?: string }
  | {
      readonly personId: string;
      readonly clientId?: string;
      /** Null selects those without a label, or not bound to a project. */
      readonly label?: string | null;
      readonly projectId?: string | null;
      /** Leaves out what was approved since. */
      readonly createdBefore?: Date;
    }
  | { readonly projectId: string }
  | { readonly clientId: string };

/** Where connections are kept. */
export abstract class Connections {
  abstract insert(connection: Connection): Promise<void>;
  /** Live connections, locked until the end of the transaction. */
  abstract lock(selection: ConnectionSelection): Promise<Connection[]>;
  /** Writes the label and the end of a connection; ending one also throws away its codes and tokens. */
  abstract save(connection: Connection): Promise<void>;
  /** What the MCP client calls itself. */
  abstract noteClientInfo(
    id: string,
    info: { readonly name: string; readonly version: string },
  ): Promise<void>;
}
