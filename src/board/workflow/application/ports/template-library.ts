import type { WorkflowTemplate } from '../../domain/workflow-template.js';

/** A template with the data that it was read from. */
export interface LibraryTemplate {
  readonly template: WorkflowTemplate;
  /** As in the file; what a project keeps when it is bound. */
  readonly data: unknown;
  /** SHA-256 of the data. */
  readonly digest: string;
}

/** The workflow templates of this instance, checked when the process starts. */
export abstract class TemplateLibrary {
  /** Key of the template of a project that names none. */
  static readonly DEFAULT_KEY = 'lifecycle';

  /** The newest version of each template: the default one first, the others by label. */
  abstract newest(): readonly LibraryTemplate[];

  find(key: string): LibraryTemplate | null {
    return this.newest().find(({ template }) => template.key === key) ?? null;
  }

  /** @throws when the default template is missing, which the start of the process rules out. */
  get default(): LibraryTemplate {
    const found = this.find(TemplateLibrary.DEFAULT_KEY);
    if (!found) throw new Error(`The template "${TemplateLibrary.DEFAULT_KEY}" is missing.`);
    return found;
  }
}
