/** Values of a statement that is put together from parts. */
export class Parameters {
  readonly values: unknown[] = [];

  /** @returns the placeholder of one more value */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}
