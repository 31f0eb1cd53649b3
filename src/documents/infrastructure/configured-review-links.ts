import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { ReviewLinks } from '../application/ports/review-links.js';

@Injectable()
export class ConfiguredReviewLinks extends ReviewLinks {
  constructor(private readonly configuration: Configuration) {
    super();
  }

  override review(projectId: string, documentId: string): string {
    return `${this.configuration.values.defaultUri}/projects/${projectId}/documents/${documentId}/review`;
  }
}
