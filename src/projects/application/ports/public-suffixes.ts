/** The public suffix list, private section included. */
export abstract class PublicSuffixes {
  abstract has(host: string): boolean;
}
