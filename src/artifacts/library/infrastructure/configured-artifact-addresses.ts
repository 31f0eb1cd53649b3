import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { ArtifactAddresses } from '../application/ports/artifact-addresses.js';

@Injectable()
export class ConfiguredArtifactAddresses extends ArtifactAddresses {
  constructor(private readonly configuration: Configuration) {
    super();
  }

  override page(projectId: string, artifactId: string): string {
    return this.configuration.url(`/projects/${projectId}/artifacts/${artifactId}`);
  }

  override playground(projectId: string, artifactId: string): string {
    return `${this.page(projectId, artifactId)}/playground`;
  }

  override preview(artifactId: string, version?: number): string {
    const pinned = version === undefined ? '' : `?version=${version}`;
    return this.configuration.url(`/artifacts/${artifactId}/preview${pinned}`);
  }
}
