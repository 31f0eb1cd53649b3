export interface RenderedPage {
  readonly headers: Readonly<Record<string, string>>;
  readonly markup: string;
}

/** The page for errors that come before the redirect address of an app is trusted. */
export abstract class AuthorizationErrorPage {
  abstract render(sentence: string): RenderedPage;
}
