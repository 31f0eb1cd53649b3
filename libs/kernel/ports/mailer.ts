/** One mail, as its writer says it; text and HTML are made of the same words. */
export interface Mail {
  /** A second mail of the same key is not sent. At most 200 characters. */
  readonly key: string;
  /** One address. */
  readonly to: string;
  readonly subject: string;
  /** Plain sentences, each a paragraph. */
  readonly paragraphs: readonly string[];
  /** The one thing to do, as a link of this instance. */
  readonly action?: { readonly label: string; readonly url: string };
  /** Why it came, and what to do when it was not expected. */
  readonly footnote?: string;
}

/** Mail to people (`platform.md` 15.3). It is written with the running transaction and leaves after its commit. */
export abstract class Mailer {
  /** False while no mail server is set: `send` must not be called then, links are copied by hand instead. */
  abstract readonly isOn: boolean;
  /** At most once per key, also when a worker is killed in the middle. @throws when mail is off. */
  abstract send(mail: Mail): Promise<void>;
}
