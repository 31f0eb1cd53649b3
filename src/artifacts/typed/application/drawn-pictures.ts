import { Injectable } from '@nestjs/common';

/** Characters of all pictures that are kept. */
const CHARACTERS_MAX = 12_000_000;

/** Pictures that were drawn lately. A chart never changes, so neither does its picture; the oldest ones give way. */
@Injectable()
export class DrawnPictures {
  private readonly kept = new Map<string, string>();
  private characters = 0;

  /** The picture of a key, drawn when it is not at hand. */
  async get(key: string, draw: () => Promise<string>): Promise<string> {
    const known = this.kept.get(key);
    if (known !== undefined) {
      this.kept.delete(key);
      this.kept.set(key, known);
      return known;
    }
    const drawn = await draw();
    this.keep(key, drawn);
    return drawn;
  }

  private keep(key: string, picture: string): void {
    if (picture.length > CHARACTERS_MAX / 4 || this.kept.has(key)) return;
    this.kept.set(key, picture);
    this.characters += picture.length;
    for (const [oldest, drawn] of this.kept) {
      if (this.characters <= CHARACTERS_MAX) break;
      this.kept.delete(oldest);
      this.characters -= drawn.length;
    }
  }
}
