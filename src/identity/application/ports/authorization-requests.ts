import type { Scope } from '#libs/kernel/actor.js';

/** Names a request that waits for a person: by the consent page and its cookie, or by the code of a device. */
export type RequestReference =
  | {
      readonly kind: 'consent';
      readonly uid: string;
      /** The `Cookie` header: only the browser that started a request may answer it. */
      readonly cookies: string;
    }
  | { readonly kind: 'device'; readonly userCode: string };

export interface AuthorizationRequest {
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly resource: string;
  /** Address that receives the answer; null for devices. */
  readonly redirectUri: string | null;
  /** Of the widget: project and page origin that the request names. Not checked. */
  readonly projectId: string | null;
  readonly origin: string | null;
  /** Of devices. */
  readonly deviceName: string | null;
  readonly askedFrom: string | null;
}

export type RequestState =
  | { readonly state: 'open'; readonly request: AuthorizationRequest }
  | { readonly state: 'answered' }
  | { readonly state: 'unknown' };

/** Requests of apps that wait for the answer of a person. */
export abstract class AuthorizationRequests {
  abstract find(reference: RequestReference): Promise<RequestState>;
  /** Like `find`, and marks an open request as answered with the running transaction. Only one caller gets it open. */
  abstract claim(reference: RequestReference): Promise<RequestState>;
  /** @returns where the browser goes next; null for devices. */
  abstract allow(
    reference: RequestReference,
    answer: { readonly personId: string; readonly connectionId: string },
  ): Promise<string | null>;
  /** @returns where the browser goes next; null for devices. */
  abstract deny(reference: RequestReference): Promise<string | null>;
}
