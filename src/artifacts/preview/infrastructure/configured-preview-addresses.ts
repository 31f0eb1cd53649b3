import { Injectable } from '@nestjs/common';
import { Configuration, isLoopbackHost } from '#libs/configuration/configuration.js';
import { PreviewAddresses, type RequestPlace } from '../application/ports/preview-addresses.js';

const PREVIEW_PATH = '/artifact-preview/';
const LIVE_PATH = '/live/';
const APPLICATION: RequestPlace = { kind: 'application' };

/** Addresses from `ARTIFACT_PREVIEW_ORIGIN`, `ARTIFACT_LIVE_ORIGIN` and `DEFAULT_URI`. */
@Injectable()
export class ConfiguredPreviewAddresses extends PreviewAddresses {
  override readonly application: string;
  override readonly framers: string;
  override readonly ownOriginPerArtifact: boolean;
  override readonly ownOriginPerLivePage: boolean;
  override readonly frameSource: string;
  private readonly preview: string | null;
  private readonly live: string | null;

  constructor({ values }: Configuration) {
    super();
    this.application = values.defaultUri;
    this.framers = framersOf(this.application);
    this.preview = values.artifactPreviewOrigin;
    this.live = values.artifactLiveOrigin;
    this.ownOriginPerArtifact = this.preview?.includes('{label}') ?? false;
    this.ownOriginPerLivePage = this.live !== null;
    this.frameSource = this.preview?.replace('{label}', '*') ?? `${this.application}${PREVIEW_PATH}`;
  }

  override page(artifactId: string): string {
    return `${this.application}/artifacts/${artifactId}/preview`;
  }

  override base(artifactId: string, signedTicket: string): string {
    const { preview } = this;
    if (preview === null) return `${this.application}${PREVIEW_PATH}${signedTicket}/`;
    return `${preview.replace('{label}', artifactId.replaceAll('-', ''))}/${signedTicket}/`;
  }

  override liveBase(subdomain: string): string {
    return this.live === null
      ? `${this.application}${LIVE_PATH}${subdomain}/`
      : `${this.live.replace('{label}', subdomain)}/`;
  }

  override placeOf(host: string, path: string): RequestPlace {
    const onPreview = this.preview === null ? null : labelOf(this.preview, host);
    if (onPreview !== null) return previewAt(onPreview === '' ? null : onPreview, path.slice(1));
    const onLive = this.live === null ? null : labelOf(this.live, host);
    if (onLive !== null) return { kind: 'live', subdomain: onLive, path: path.slice(1) };
    if (this.preview === null && path.startsWith(PREVIEW_PATH))
      return previewAt(null, path.slice(PREVIEW_PATH.length));
    if (this.live === null && path.startsWith(LIVE_PATH)) {
      const [subdomain, rest] = firstPart(path.slice(LIVE_PATH.length));
      return { kind: 'live', subdomain, path: rest };
    }
    return APPLICATION;
  }
}

/** A local instance is opened as `localhost` and as `127.0.0.1`, whichever of them it calls itself. */
function framersOf(application: string): string {
  const { protocol, hostname, port } = new URL(application);
  if (!isLoopbackHost(hostname)) return application;
  const end = port === '' ? '' : `:${port}`;
  const names = ['localhost', '127.0.0.1'].map((name) => `${protocol}//${name}${end}`);
  return [...new Set([application, ...names])].join(' ');
}

function previewAt(label: string | null, path: string): RequestPlace {
  const [ticket, rest] = firstPart(path);
  return { kind: 'preview', label, ticket, path: rest };
}

function firstPart(path: string): [string, string] {
  const slash = path.indexOf('/');
  return slash === -1 ? [path, ''] : [path.slice(0, slash), path.slice(slash + 1)];
}

/** What stands for `{label}` in the host; empty where the origin has none; null when the host is another one. */
function labelOf(origin: string, host: string): string | null {
  const [start, end] = new URL(origin.replace('{label}', '-label-')).host.split('-label-') as [
    string,
    string?,
  ];
  const given = host.toLowerCase();
  if (end === undefined) return given === start ? '' : null;
  const label = given.slice(0, -end.length);
  return given.endsWith(end) && /^[a-z0-9-]{1,63}$/.test(label) ? label : null;
}
