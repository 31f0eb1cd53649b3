import { randomBytes } from 'node:crypto';

export interface SecurityHeaderOptions {
  /** Value of `nonce` attributes in the page; see `newNonce`. */
  readonly nonce: string;
  /** True when `DEFAULT_URI` is https: adds HSTS. */
  readonly https: boolean;
  /** Origin or URL prefix whose pages may be framed, beside this origin (`artifacts.md` 10.1). */
  readonly previewBase?: string;
  /** The one source that the page may frame, in place of this origin and `previewBase`. */
  readonly framesOnly?: string;
  /** Origins that a form of the page may lead to, beside this one: the redirect origin of a consent page. */
  readonly formAction?: readonly string[];
  /** `unsafe-none` for login and consent pages, which apps open as pop-ups. Default `same-origin`. */
  readonly openerPolicy?: 'same-origin' | 'unsafe-none';
}

const FEATURES = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'otp-credentials',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'usb',
  'window-management',
  'xr-spatial-tracking',
];

const YEAR_SECONDS = 31_536_000;

/** A fresh value for the `nonce` of one answer: 128 random bits. */
export function newNonce(): string {
  return randomBytes(16).toString('base64url');
}

/** Headers of every page, by name: the app shell and the pages rendered on the server (`platform.md` 14). */
export function securityHeaders(options: SecurityHeaderOptions): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(options),
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'Permissions-Policy': FEATURES.map((feature) => `${feature}=()`).join(', '),
    'Cross-Origin-Opener-Policy': options.openerPolicy ?? 'same-origin',
    ...(options.https ? { 'Strict-Transport-Security': `max-age=${YEAR_SECONDS}` } : {}),
  };
}

function contentSecurityPolicy(options: SecurityHeaderOptions): string {
  const { nonce, previewBase, framesOnly, formAction = [] } = options;
  const own = `'self' 'nonce-${nonce}'`;
  return [
    "default-src 'none'",
    `script-src ${own}`,
    `style-src ${own}`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    `frame-src ${framesOnly ?? ["'self'", ...(previewBase ? [previewBase] : [])].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    `form-action ${["'self'", ...formAction].join(' ')}`,
    "object-src 'none'",
  ].join('; ');
}
