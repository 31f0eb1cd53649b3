/** The text-search configurations of the installed PostgreSQL. */
export abstract class SearchLanguages {
  /** All names, in order. */
  abstract names(): Promise<readonly string[]>;
}
