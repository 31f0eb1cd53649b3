import { ProjectDirectory, type ProjectFacts } from '../ports/project-directory.js';

/** Every project exists and is called Acme; a test may give one another search language. */
export class NamedProjects extends ProjectDirectory {
  readonly languages = new Map<string, string>();

  override async byIds(ids: readonly string[]): Promise<Map<string, ProjectFacts>> {
    return new Map(
      ids.map((id) => [
        id,
        { id, slug: 'acme', name: 'Acme', ownerId: id, searchLanguage: this.languages.get(id) ?? 'english' },
      ]),
    );
  }

  override async allowsOrigin(): Promise<boolean> {
    return false;
  }
}
