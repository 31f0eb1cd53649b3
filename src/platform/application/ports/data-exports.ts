export type ExportState = 'pending' | 'running' | 'ready' | 'failed';

export interface DataExport {
  readonly id: string;
  readonly personId: string;
  readonly state: ExportState;
  readonly requestedAt: Date;
  readonly finishedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly bytes: number | null;
  readonly blobKey: string | null;
  readonly tokenHash: string | null;
  readonly tokenSealed: string | null;
}

export interface FinishedExport {
  readonly bytes: number;
  readonly blobKey: string;
  readonly tokenHash: string;
  readonly tokenSealed: string;
  readonly expiresAt: Date;
}

/** Answer to a run that wants to work at an export. */
export type ExportClaim =
  | { readonly kind: 'yours'; readonly personId: string }
  /** Another run works at it until then. */
  | { readonly kind: 'held'; readonly until: Date }
  /** Finished, failed or deleted. */
  | { readonly kind: 'over' };

/** The exports that people asked for. */
export abstract class DataExports {
  /** False while another export of the person is under way. */
  abstract add(id: string, personId: string): Promise<boolean>;
  abstract ofPerson(personId: string): Promise<DataExport[]>;
  abstract find(id: string): Promise<DataExport | null>;
  /** Takes the export for a run for three minutes, unless another one holds it. */
  abstract claim(id: string, holder: string): Promise<ExportClaim>;
  /** Three more minutes. False when the run has lost it. */
  abstract keep(id: string, holder: string): Promise<boolean>;
  /** Lets another run begin at once. */
  abstract release(id: string, holder: string): Promise<void>;
  /** False when the run has lost it. */
  abstract finish(id: string, holder: string, result: FinishedExport): Promise<boolean>;
  abstract fail(id: string, holder: string): Promise<boolean>;
  /** @returns what was deleted, or null */
  abstract remove(id: string, personId: string): Promise<DataExport | null>;
  /** Ready ones past their time, and failed ones after a week; at most 100. */
  abstract outlived(): Promise<DataExport[]>;
  /** Keys of the archives that can be downloaded today. */
  abstract archives(): Promise<string[]>;
  /** Those that a job has to work at. */
  abstract waiting(): Promise<string[]>;
}
