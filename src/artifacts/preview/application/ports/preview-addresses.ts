/** Where a request to the server leads, told by its host and path alone. */
export type RequestPlace =
  /** No address of previews: the application answers. */
  | { readonly kind: 'application' }
  /** `label` is set on a host of one artifact. */
  | {
      readonly kind: 'preview';
      readonly label: string | null;
      readonly ticket: string;
      /** Path inside the artifact as it stands in the address. */
      readonly path: string;
    }
  | { readonly kind: 'live'; readonly subdomain: string; readonly path: string };

/** Addresses of previews and live pages, as this instance is set up (`artifacts.md` 10.1, 7.7). */
export abstract class PreviewAddresses {
  /** Origin of the application. */
  abstract readonly application: string;
  /** Origins whose pages may frame a preview: the application's, under each name that it has on this machine. */
  abstract readonly framers: string;
  /** Each artifact has a preview host for itself, so its pages may keep an origin. */
  abstract readonly ownOriginPerArtifact: boolean;
  abstract readonly ownOriginPerLivePage: boolean;
  /** What a page of the application may frame: a source of `frame-src`. */
  abstract readonly frameSource: string;
  /** The page of the application that shows an artifact. */
  abstract page(artifactId: string): string;
  /** Full address of an artifact's files, with a slash at its end. */
  abstract base(artifactId: string, signedTicket: string): string;
  /** The same for a live page. */
  abstract liveBase(subdomain: string): string;
  /**
   * @param host with its port
   * @param path without query, as it stands in the request
   */
  abstract placeOf(host: string, path: string): RequestPlace;
}
