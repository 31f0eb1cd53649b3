/** What a response of a preview or a live page may do in the browser. */
export interface PreviewPolicy {
  /** Full address that everything of the artifact lies under, with a slash at its end; null where no ticket named one. */
  readonly base: string | null;
  /** `https` origins that the project lets its previews use. */
  readonly hosts: readonly string[];
  /** Origins whose pages may frame it; null when none may. */
  readonly framedBy: string | null;
  /** The artifact has a host for itself, so its pages may keep an origin. */
  readonly ownOrigin: boolean;
  /** Rendered Markdown runs no script. */
  readonly scripts: boolean;
}

const FEATURES = ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'display-capture'];

/** Headers of every preview and live response, whatever its status (`artifacts.md` 10.2). */
export function previewHeaders(policy: PreviewPolicy): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(policy),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': FEATURES.map((feature) => `${feature}=()`).join(', '),
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Access-Control-Allow-Origin': '*',
    'X-Robots-Tag': 'noindex',
    // A name that is looked up is a message to whoever owns it.
    'X-DNS-Prefetch-Control': 'off',
  };
}

/** The sandbox of a frame that shows a preview: no pop-ups, unlike a preview that somebody opens by itself. */
export function frameSandbox(ownOrigin: boolean): string {
  return ['allow-scripts', 'allow-forms', 'allow-modals', ...(ownOrigin ? ['allow-same-origin'] : [])].join(
    ' ',
  );
}

function contentSecurityPolicy({ base, hosts, framedBy, ownOrigin, scripts }: PreviewPolicy): string {
  const own = base === null ? [] : [base];
  const list = (name: string, ...sources: readonly (string | readonly string[])[]): string => {
    const all = sources.flat();
    return `${name} ${all.length === 0 ? "'none'" : all.join(' ')}`;
  };
  const sandbox = [
    'sandbox',
    ...(scripts ? ['allow-scripts'] : []),
    'allow-forms allow-popups allow-modals',
    ...(ownOrigin ? ['allow-same-origin'] : []),
  ];
  return [
    sandbox.join(' '),
    "default-src 'none'",
    list('script-src', own, "'unsafe-inline' 'unsafe-eval' blob:", hosts),
    list('style-src', own, "'unsafe-inline'", hosts),
    list('img-src', own, 'data: blob:', hosts),
    list('media-src', own, 'data: blob:', hosts),
    list('font-src', own, 'data: blob:', hosts),
    list('connect-src', own, hosts),
    list('worker-src', 'blob:', own),
    list('frame-src', own),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${framedBy ?? "'none'"}`,
  ].join('; ');
}
