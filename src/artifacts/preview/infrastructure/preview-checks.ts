import { Injectable } from '@nestjs/common';
import { getDomain } from 'tldts';
import { Configuration } from '#libs/configuration/configuration.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import type { StatusCheck, StatusFinding } from '#src/platform/application/ports/status-checks.js';

/** The row of the status page about the origins of foreign pages (`artifacts.md` 10.1). */
@Injectable()
export class PreviewChecks {
  constructor(
    private readonly configuration: Configuration,
    private readonly flags: Flags,
  ) {}

  get all(): StatusCheck[] {
    return [{ name: 'Artifact previews', run: async () => this.origins() }];
  }

  private origins(): StatusFinding | null {
    if (!this.flags.isOn('artifacts.enabled')) return null;
    const { defaultUri, artifactPreviewOrigin, artifactLiveOrigin } = this.configuration.values;
    const near = [
      ['ARTIFACT_PREVIEW_ORIGIN', artifactPreviewOrigin] as const,
      ['ARTIFACT_LIVE_ORIGIN', artifactLiveOrigin] as const,
    ].filter(([, origin]) => origin !== null && sameSite(origin, defaultUri));
    if (near.length > 0) {
      return {
        state: 'warning',
        sentence: `${near.map(([name]) => name).join(' and ')} shares the registrable domain of DEFAULT_URI, so pages of artifacts count as the same site. Use a domain of its own.`,
      };
    }
    return {
      state: 'ok',
      sentence:
        artifactPreviewOrigin === null
          ? 'Previews are shown from this host on an opaque origin.'
          : 'Previews have an origin apart from the application.',
    };
  }
}

/** Whether browsers see two origins as one site: the same registrable domain, or the same host where it has none. */
export function sameSite(origin: string, other: string): boolean {
  const site = (given: string): string => {
    const { hostname } = new URL(given.replace('{label}', 'label'));
    return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
  };
  return site(origin) === site(other);
}
