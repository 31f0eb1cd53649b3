import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parseDocument } from 'yaml';
import { writeAtomically } from '../core/atomic-file.js';
import { codeOf, failed } from '../core/failure.js';
import { isProjectId } from '../core/project-file.js';

const NAME = join('.loupe', 'artifacts.yaml');

/** `.loupe/artifacts.yaml` of a repository: which path is stored as which artifact. Meant to be committed. */
export class ArtifactIds {
  private readonly path: string;

  constructor(private readonly folder: string) {
    this.path = join(folder, NAME);
  }

  /** The name under which a path stands in the file. */
  keyOf(pushed: string): string {
    const below = relative(this.folder, resolve(this.folder, pushed));
    return (below === '' ? '.' : below).split(sep).join('/').normalize('NFC');
  }

  /** @throws Failure (1) when the file is broken. */
  get(pushed: string): string | null {
    const id = this.document().get(this.keyOf(pushed));
    return typeof id === 'string' && isProjectId(id) ? id : null;
  }

  /** Notes an id; comments and other lines stay. */
  put(pushed: string, id: string): void {
    const document = this.document();
    if (document.get(this.keyOf(pushed)) === id) return;
    document.set(this.keyOf(pushed), id);
    mkdirSync(dirname(this.path), { recursive: true });
    writeAtomically(this.path, document.toString(), 0o644);
  }

  private document() {
    let text = '';
    try {
      text = readFileSync(this.path, 'utf8');
    } catch (error) {
      if (codeOf(error) !== 'ENOENT')
        throw failed(`cannot read ${NAME} (${codeOf(error)})`, 'make it readable');
    }
    const document = parseDocument(text);
    const value: unknown = document.toJS();
    if (
      document.errors.length > 0 ||
      (value !== null && (typeof value !== 'object' || Array.isArray(value)))
    ) {
      throw failed(`${NAME} is broken`, 'mend it: one line `path: id` for each artifact');
    }
    if (value === null) document.contents = document.createNode({}) as never;
    return document;
  }
}
