import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { TypedLinks } from '../application/ports/typed-links.js';
import type { TypedArtifactType } from '../domain/payload.js';

@Injectable()
export class ConfiguredTypedLinks extends TypedLinks {
  constructor(private readonly configuration: Configuration) {
    super();
  }

  override chart(projectId: string, id: number): string {
    return this.configuration.url(`/projects/${projectId}/artifacts/charts/${id}`);
  }

  override picture(projectId: string, id: number): string {
    return `/api/projects/${projectId}/charts/${id}.svg`;
  }

  override schema(type: TypedArtifactType): string {
    return this.configuration.url(`/schemas/typed-artifacts/${type}.json`);
  }
}
