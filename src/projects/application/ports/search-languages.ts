/** Languages that the database can search in: names of its text-search configurations. */
export abstract class SearchLanguages {
  /** In order of name. */
  abstract names(): Promise<string[]>;
}
