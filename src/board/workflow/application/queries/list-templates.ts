import { Injectable } from '@nestjs/common';
import { TemplateLibrary } from '../ports/template-library.js';

export interface TemplateChoice {
  readonly key: string;
  readonly version: number;
  readonly label: string;
  readonly description: string;
}

/** Templates that a new project can choose, the default one first. They are the same for everybody who is signed in. */
@Injectable()
export class ListTemplates {
  constructor(private readonly library: TemplateLibrary) {}

  execute(): TemplateChoice[] {
    return this.library
      .newest()
      .map(({ template: { key, version, label, description } }) => ({ key, version, label, description }));
  }
}
