export interface InstanceCheck {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failed' | 'unknown';
  /** What was found, and the fix when it is not ok. */
  readonly sentence: string;
}

/** The request that asks, for checks that compare it with the configuration. */
export interface AskingRequest {
  readonly protocol: string;
  readonly host: string;
  readonly clientAddress: string;
  readonly forwardedFor: string | null;
}

/** The checks of `/admin/status`, for the first step of the install wizard. */
export abstract class InstanceStatus {
  abstract checks(request: AskingRequest): Promise<readonly InstanceCheck[]>;
}
