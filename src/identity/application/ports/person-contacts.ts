/** Verified addresses of people, for those few who may see or match them. */
export abstract class PersonContacts {
  /** By id; people without a verified address, deleted and unknown people are left out. */
  abstract emails(ids: readonly string[]): Promise<Map<string, string>>;
}
