import { isAscii } from 'node:buffer';

/** A long text in the form in which it is sent: a JSON string in UTF-8. It is made once, and sent as it is. */
export class JsonText {
  private constructor(readonly json: Buffer) {}

  static of(text: string): JsonText {
    return new JsonText(Buffer.from(JSON.stringify(text)));
  }

  /** @param bytes whole characters in UTF-8 */
  static ofUtf8(bytes: Buffer): JsonText {
    // Most texts are plain ASCII, and so is their JSON; both ways are many times faster as what they are.
    if (!isAscii(bytes)) return JsonText.of(bytes.toString('utf8'));
    return new JsonText(Buffer.from(JSON.stringify(bytes.toString('latin1')), 'latin1'));
  }

  get text(): string {
    return JSON.parse(this.json.toString('utf8')) as string;
  }

  toJSON(): string {
    return this.text;
  }
}
