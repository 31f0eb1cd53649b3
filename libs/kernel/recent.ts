/** What was used lately, by key, up to a limit; what was used longest ago goes first. For what never changes, and hints. */
export class Recent<Value> {
  private readonly values = new Map<string, Value>();
  private weight = 0;

  constructor(
    /** Of the weights of all values together. */
    private readonly limit: number,
    private readonly weigh: (value: Value) => number = () => 1,
  ) {}

  get(key: string): Value | undefined {
    const value = this.values.get(key);
    if (value !== undefined) {
      // Moves it to the end of those that go.
      this.values.delete(key);
      this.values.set(key, value);
    }
    return value;
  }

  put(key: string, value: Value): void {
    this.delete(key);
    this.values.set(key, value);
    this.weight += this.weigh(value);
    for (const oldest of this.values.keys()) {
      if (this.weight <= this.limit) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const value = this.values.get(key);
    if (value === undefined) return;
    this.values.delete(key);
    this.weight -= this.weigh(value);
  }
}
