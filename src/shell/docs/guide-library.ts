import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Html } from '#src/identity/interface/http/pages/html.js';
import {
  type GuideHeading,
  type GuideInsert,
  type GuideTarget,
  type ParsedGuide,
  parseGuide,
  type ResolvedTarget,
} from './guide-markdown.js';

/** What guides write for the address of an instance; readers see that of theirs. */
const EXAMPLE_ADDRESS = 'https://loupe.example.com';

/** The page that lists all others; its lists give their order and groups. */
const CONTENTS = 'README.md';

/** Folders of guides, and what those are headed by that the contents do not name. */
const FOLDERS = { using: 'Using Loupe', operating: 'Running Loupe' } as const;

/** Guides that stand beside the folders. */
const SINGLE = ['operating.md', 'flags.md', 'workflow-templates.md'];

/** One page. */
export interface Guide {
  /** Last part of its address. */
  readonly name: string;
  readonly title: string;
  /** One sentence: that of the contents, else the first of the guide. */
  readonly about: string;
  readonly headings: readonly GuideHeading[];
}

export interface GuideGroup {
  readonly title: string;
  readonly guides: readonly Guide[];
}

export interface GuideMatch {
  readonly guide: Guide;
  /** Sections whose titles match, at most five. */
  readonly headings: readonly GuideHeading[];
}

interface StoredGuide extends Guide {
  /** Below the folder of all guides. */
  readonly path: string;
  readonly parsed: ParsedGuide;
}

interface StoredImage {
  readonly content: Buffer;
  readonly width: number;
  readonly height: number;
}

/** The guides of this release: read once, rendered when somebody first asks. */
export class GuideLibrary {
  readonly groups: readonly GuideGroup[];
  /** Guides that the contents do not name. */
  readonly unlisted: Guide[] = [];
  private readonly contents: ParsedGuide;
  private readonly byPath = new Map<string, StoredGuide>();
  private readonly byName = new Map<string, StoredGuide>();
  private readonly images = new Map<string, StoredImage>();
  private readonly rendered = new Map<string, readonly (Html | GuideInsert)[]>();

  private constructor(parsed: ReadonlyMap<string, ParsedGuide>, listed: readonly ListedGroup[]) {
    this.contents = parsed.get(CONTENTS)!;
    const entries = listed.flatMap((group) => group.entries);
    for (const [path, one] of parsed) {
      if (path === CONTENTS) continue;
      const name = basename(path, '.md');
      if (this.byName.has(name)) throw new Error(`Two guides have the name ${name}.`);
      const entry = entries.find((each) => each.path === path);
      const about = entry?.about || one.lead;
      const guide: StoredGuide = { name, title: one.title, headings: one.headings, about, path, parsed: one };
      this.byName.set(name, guide);
      this.byPath.set(path, guide);
      if (!entry) this.unlisted.push(guide);
    }
    this.groups = this.grouped(listed);
  }

  /**
   * Reads all guides, and lets others have a turn after each of them.
   *
   * @param folder `docs/` of the build
   * @param address of this instance, without a slash at its end
   * @throws Error when two guides have one name, or one has no title
   */
  static async open(folder: string, address: string): Promise<GuideLibrary> {
    const parsed = new Map<string, ParsedGuide>();
    for (const path of [CONTENTS, ...pathsIn(folder)]) {
      const text = await readFile(join(folder, path), 'utf8');
      try {
        parsed.set(path, parseGuide(text.replaceAll(EXAMPLE_ADDRESS, address)));
      } catch (error) {
        throw new Error(`The guide ${path} cannot be read.`, { cause: error });
      }
      await setImmediate();
    }
    const library = new GuideLibrary(parsed, readContents(await readFile(join(folder, CONTENTS), 'utf8')));
    for (const name of namesIn(join(folder, 'images'), '.png')) {
      const content = await readFile(join(folder, 'images', name));
      library.images.set(name, {
        content,
        width: content.readUInt32BE(16),
        height: content.readUInt32BE(20),
      });
    }
    return library;
  }

  get contentsTitle(): string {
    return this.contents.title;
  }

  get guides(): readonly Guide[] {
    return this.groups.flatMap(({ guides }) => guides);
  }

  find(name: string): Guide | null {
    return this.byName.get(name) ?? null;
  }

  image(name: string): Buffer | null {
    return this.images.get(name)?.content ?? null;
  }

  /** The page that lists all others. */
  contentsPage(): readonly (Html | GuideInsert)[] {
    return this.kept(CONTENTS, this.contents);
  }

  /** The page in parts, with places that somebody else fills in. */
  page(name: string): readonly (Html | GuideInsert)[] {
    const guide = this.byName.get(name)!;
    return this.kept(guide.path, guide.parsed);
  }

  /** Guides whose title or section titles hold every word; those with the words in their own title come first. */
  search(query: string, more: ReadonlyMap<string, readonly GuideHeading[]> = new Map()): GuideMatch[] {
    const words = wordsOf(query);
    if (words.length === 0) return [];
    const holds = (text: string) => {
      const folded = fold(text);
      return words.every((word) => folded.includes(word));
    };
    const matches = this.guides.flatMap((guide) => {
      const inTitle = holds(guide.title);
      const all = [...guide.headings, ...(more.get(guide.name) ?? [])];
      const headings = all.filter(({ text }) => holds(text)).slice(0, 5);
      return inTitle || headings.length > 0 ? [{ guide, headings, inTitle }] : [];
    });
    return matches.sort((a, b) => Number(b.inTitle) - Number(a.inTitle));
  }

  /** Guides that somebody may have meant who asked for an address that is none. */
  near(address: string): Guide[] {
    const words = wordsOf(address.replace(/\.md$/, '').replace(/[-_/]/g, ' ')).map((word) =>
      word.slice(0, 5),
    );
    return this.guides.filter(({ name, title }) =>
      words.some((word) => word.length > 2 && fold(`${name} ${title}`).includes(word)),
    );
  }

  /** Links and pictures that lead nowhere, for the test that keeps them whole. */
  brokenTargets(): string[] {
    const all = [{ path: CONTENTS, parsed: this.contents }, ...this.byPath.values()];
    return all.flatMap(({ path, parsed }) =>
      parsed.targets
        .filter((one) => this.resolve(path, one) === null || !this.hasFragment(path, one.target))
        .map(({ target }) => `${path}: ${target}`),
    );
  }

  private hasFragment(from: string, target: string): boolean {
    const [file, fragment] = target.split('#', 2);
    if (fragment === undefined || /^[a-z]+:/.test(target)) return true;
    const path = file === '' ? from : posix.join(posix.dirname(from), file!);
    const parsed = path === CONTENTS ? this.contents : this.byPath.get(path)?.parsed;
    return parsed?.headings.some(({ id }) => id === fragment) ?? false;
  }

  private kept(path: string, parsed: ParsedGuide): readonly (Html | GuideInsert)[] {
    let parts = this.rendered.get(path);
    if (!parts) {
      parts = parsed.render((target) => this.resolve(path, target));
      this.rendered.set(path, parts);
    }
    return parts;
  }

  /** Where something in a file leads to on this instance; null when that is no page and no picture of ours. */
  private resolve(from: string, { kind, target }: GuideTarget): ResolvedTarget | null {
    const [file = '', fragment] = target.split('#', 2);
    const path = posix.join(posix.dirname(from), file);
    if (kind === 'picture') {
      const image = path.startsWith('images/') ? this.images.get(path.slice('images/'.length)) : undefined;
      return image ? { url: `/docs/${path}`, width: image.width, height: image.height } : null;
    }
    if (/^(https?|mailto):/.test(target)) return { url: target };
    const hash = fragment === undefined ? '' : `#${fragment}`;
    if (file === '') return hash === '' ? null : { url: hash };
    if (path === CONTENTS) return { url: `/docs${hash}` };
    const guide = this.byPath.get(path);
    return guide ? { url: `/docs/${guide.name}${hash}` } : null;
  }

  /** As the contents have it; what they do not name stands at the end of the group of its folder. */
  private grouped(listed: readonly ListedGroup[]): GuideGroup[] {
    const groups = new Map<string, Guide[]>();
    const named = new Set<string>();
    for (const { title, entries } of listed) {
      const guides = entries.flatMap(({ path }) => this.byPath.get(path) ?? []);
      for (const { path } of guides) named.add(path);
      if (guides.length > 0) groups.set(title, guides);
    }
    for (const guide of this.byPath.values()) {
      if (named.has(guide.path)) continue;
      const title = guide.path.startsWith('using/') ? FOLDERS.using : FOLDERS.operating;
      groups.set(title, [...(groups.get(title) ?? []), guide]);
    }
    return [...groups].map(([title, guides]) => ({ title, guides }));
  }
}

interface ListedGroup {
  readonly title: string;
  readonly entries: readonly { readonly path: string; readonly about: string }[];
}

/** `## Group`, and below it lines such as `- [Title](using/file.md): one sentence`. */
function readContents(markdown: string): ListedGroup[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      title: part.split('\n', 1)[0]!.trim(),
      entries: [...part.matchAll(/^- \[[^\]]+\]\(([^)]+)\)(?:: (.+))?$/gm)].map(([, path, about]) => ({
        path: path!,
        about: about ?? '',
      })),
    }));
}

function pathsIn(folder: string): string[] {
  const inFolders = Object.keys(FOLDERS).flatMap((name) =>
    namesIn(join(folder, name), '.md').map((file) => `${name}/${file}`),
  );
  return [...SINGLE.filter((file) => existsSync(join(folder, file))), ...inFolders];
}

function namesIn(folder: string, ending: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .sort();
}

function wordsOf(text: string): string[] {
  return fold(text).split(/\s+/).filter(Boolean).slice(0, 20);
}

/** Without case and accents. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
