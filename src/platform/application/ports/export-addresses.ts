/** Addresses of this instance that exports are about. */
export abstract class ExportAddresses {
  /** The page with the exports of whoever is signed in. */
  abstract page(): string;
}
