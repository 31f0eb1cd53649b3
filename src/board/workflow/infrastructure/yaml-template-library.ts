import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseDocument } from 'yaml';
import { hashOfArguments } from '#libs/kernel/canonical-json.js';
import { type LibraryTemplate, TemplateLibrary } from '../application/ports/template-library.js';
import { parseTemplate } from '../domain/parse-template.js';

/** Folder of the templates that come with Loupe. */
const SHIPPED = join(dirname(fileURLToPath(import.meta.url)), 'templates');

/** A template file that cannot be used; it stops the start of the process with one plain text. */
export class TemplateFileError extends Error {
  override readonly name = 'StartError';
}

/** Templates from YAML files: those that come with Loupe, and those of the operator. */
export class YamlTemplateLibrary extends TemplateLibrary {
  private constructor(private readonly templates: readonly LibraryTemplate[]) {
    super();
  }

  /**
   * Reads and checks every file.
   * @param ownDirectory folder of further templates (`WORKFLOW_TEMPLATE_DIR`), or null.
   * @throws TemplateFileError that names each bad file with the path inside it and what is wrong there.
   */
  static async load(ownDirectory: string | null): Promise<YamlTemplateLibrary> {
    const files = await filesOf(SHIPPED);
    if (ownDirectory !== null) files.push(...(await ownFiles(ownDirectory)));
    const complaints: string[] = [];
    const read = await Promise.all(files.map((file) => readTemplate(file, complaints)));
    const byVersion = new Map<string, string>();
    const newest = new Map<string, LibraryTemplate>();
    for (const entry of read) {
      if (entry === null) continue;
      const { file, ...template } = entry;
      const { key, version } = template.template;
      const twin = byVersion.get(`${key} ${version}`);
      if (twin) complaints.push(`${file}: the template "${key}" version ${version} is in ${twin} too.`);
      byVersion.set(`${key} ${version}`, file);
      if (version > (newest.get(key)?.template.version ?? 0)) newest.set(key, template);
    }
    if (complaints.length > 0) {
      throw new TemplateFileError(`A workflow template is not usable:\n  ${complaints.sort().join('\n  ')}`);
    }
    return new YamlTemplateLibrary([...newest.values()].sort(byRank));
  }

  override newest(): readonly LibraryTemplate[] {
    return this.templates;
  }
}

function byRank({ template: a }: LibraryTemplate, { template: b }: LibraryTemplate): number {
  const first = (key: string) => (key === TemplateLibrary.DEFAULT_KEY ? 0 : 1);
  return first(a.key) - first(b.key) || (a.label < b.label ? -1 : 1);
}

async function filesOf(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => join(folder, name));
}

async function ownFiles(folder: string): Promise<string[]> {
  try {
    return await filesOf(folder);
  } catch (error) {
    throw new TemplateFileError(
      `WORKFLOW_TEMPLATE_DIR: the folder "${folder}" cannot be read: ${(error as Error).message}`,
    );
  }
}

async function readTemplate(
  path: string,
  complaints: string[],
): Promise<(LibraryTemplate & { readonly file: string }) | null> {
  const file = dirname(path) === SHIPPED ? basename(path) : path;
  const document = parseDocument(await readFile(path, 'utf8'), { uniqueKeys: true });
  const [fault] = document.errors;
  if (fault) {
    complaints.push(`${file}: is no YAML: ${fault.message.split('\n')[0]}`);
    return null;
  }
  const data: unknown = document.toJS({ maxAliasCount: 100 });
  const { template, faults } = parseTemplate(data);
  for (const { path: place, sentence } of faults) complaints.push(`${file}: ${place} ${sentence}`);
  return faults.length > 0 ? null : { template, data, digest: hashOfArguments(data), file };
}
