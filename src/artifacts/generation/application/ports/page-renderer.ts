/** A browser that renders pages whose content is made by script. Every request of it passes the guard of `PageFetcher`. */
export abstract class PageRenderer {
  /** HTML of the page as it stands after its scripts ran; null when no browser is configured. @throws PageRefused. */
  abstract render(address: string, signal: AbortSignal): Promise<string | null>;
}

/** No browser is configured: pages are taken as their servers send them. */
export class NoPageRenderer extends PageRenderer {
  override async render(): Promise<null> {
    return null;
  }
}
