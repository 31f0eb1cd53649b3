import { Problems } from '#libs/kernel/errors.js';
import { cleanText, quoted } from '#libs/kernel/text.js';
import type { IsPublicSuffix } from './allowed-origin.js';
import { parseOrigin } from './allowed-origin.js';
import { parseDomain } from './host-name.js';
import {
  DEFAULT_SEARCH_LANGUAGE,
  DESCRIPTION_MAX,
  DOMAIN_MAX,
  NAME_MAX,
  ORIGINS_MAX,
} from './project-limits.js';
import { freeSlug, isSlugOf, slugBase } from './slug.js';

/** Everything that is stored of a project. */
export interface ProjectState {
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  readonly slug: string;
  /** Empty means none. */
  readonly description: string;
  readonly domain: string | null;
  readonly searchLanguage: string;
  readonly allowedOrigins: readonly string[];
  readonly readinessGuideVisible: boolean;
  /** Grows by one with every change. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}

/** Settings as somebody asks for them; an absent one keeps its value. */
export interface ProjectChanges {
  readonly name?: string;
  /** Empty clears. */
  readonly description?: string;
  /** Empty clears. */
  readonly domain?: string;
  readonly searchLanguage?: string;
}

export type ProjectField = 'name' | 'slug' | 'description' | 'domain' | 'searchLanguage';

/** The unit that everything belongs to. It decides on its settings; who may ask is decided by `ProjectAccess`. */
export class Project {
  private constructor(private current: ProjectState) {}

  /** @throws InvalidInput with every bad setting. */
  static create(
    id: string,
    ownerId: string,
    settings: ProjectChanges & { readonly name: string },
    surroundings: { readonly takenSlugs: ReadonlySet<string>; readonly languages: readonly string[] },
    now: Date,
  ): Project {
    const wanted = checkedChanges(settings, surroundings.languages);
    const name = wanted.name ?? settings.name;
    return new Project({
      id,
      ownerId,
      name,
      slug: freeSlug(slugBase(name), surroundings.takenSlugs),
      description: wanted.description ?? '',
      domain: wanted.domain ?? null,
      searchLanguage: wanted.searchLanguage ?? DEFAULT_SEARCH_LANGUAGE,
      allowedOrigins: [],
      readinessGuideVisible: true,
      version: 1,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    });
  }

  static restore(state: ProjectState): Project {
    return new Project(state);
  }

  get state(): ProjectState {
    return this.current;
  }

  /**
   * Changes settings. A new name gives a new slug, unless the present slug already stems from it.
   * @returns names of the fields whose value is another now, in a fixed order; none leaves the version as it was.
   * @throws InvalidInput with every bad setting.
   */
  update(
    changes: ProjectChanges,
    surroundings: { readonly takenSlugs: ReadonlySet<string>; readonly languages: readonly string[] },
    now: Date,
  ): ProjectField[] {
    const wanted = checkedChanges(changes, surroundings.languages);
    const before = this.current;
    const next = { ...before, ...wanted };
    if (wanted.name !== undefined && wanted.name !== before.name) {
      const base = slugBase(wanted.name);
      next.slug = isSlugOf(before.slug, base) ? before.slug : freeSlug(base, surroundings.takenSlugs);
    }
    const fields: ProjectField[] = ['name', 'slug', 'description', 'domain', 'searchLanguage'];
    const changed = fields.filter((field) => next[field] !== before[field]);
    if (changed.length > 0) this.replace(next, now);
    return changed;
  }

  /** @returns whether the list is another now. @throws InvalidInput that names every bad entry. */
  setOrigins(entries: readonly string[], isPublicSuffix: IsPublicSuffix, now: Date): boolean {
    const problems = new Problems();
    if (entries.length > ORIGINS_MAX) problems.add('origins', `must hold at most ${ORIGINS_MAX} entries`);
    const origins = new Set<string>();
    entries.forEach((entry, index) => {
      const parsed = parseOrigin(entry, isPublicSuffix);
      if ('refusal' in parsed) problems.add(`origins[${index}]`, parsed.refusal);
      else origins.add(parsed.origin);
    });
    problems.throwIfAny();
    const allowedOrigins = [...origins];
    if (allowedOrigins.join('\n') === this.current.allowedOrigins.join('\n')) return false;
    this.replace({ ...this.current, allowedOrigins }, now);
    return true;
  }

  /** Gives the project to another owner, whose slugs decide on the slug. */
  transfer(newOwnerId: string, takenSlugs: ReadonlySet<string>, now: Date): void {
    const base = slugBase(this.current.name);
    const slug = takenSlugs.has(this.current.slug) ? freeSlug(base, takenSlugs) : this.current.slug;
    this.replace({ ...this.current, ownerId: newOwnerId, slug }, now);
  }

  delete(now: Date): void {
    this.replace({ ...this.current, deletedAt: now }, now);
  }

  private replace(next: ProjectState, now: Date): void {
    this.current = { ...next, version: this.current.version + 1, updatedAt: now };
  }
}

type CheckedChanges = {
  -readonly [Field in 'name' | 'description' | 'domain' | 'searchLanguage']?: ProjectState[Field];
};

function checkedChanges(changes: ProjectChanges, languages: readonly string[]): CheckedChanges {
  const problems = new Problems();
  const checked: CheckedChanges = {};
  if (changes.name !== undefined) {
    checked.name = cleanText(problems, 'name', changes.name, {
      max: NAME_MAX,
      required: true,
      oneLine: true,
    });
  }
  if (changes.description !== undefined) {
    checked.description = cleanText(problems, 'description', changes.description, { max: DESCRIPTION_MAX });
  }
  if (changes.domain !== undefined) {
    const domain = changes.domain.trim() === '' ? null : parseDomain(changes.domain);
    if (domain === null && changes.domain.trim() !== '') {
      problems.add(
        'domain',
        `must be a host name such as example.com, without port, path or spaces, at most ${DOMAIN_MAX} characters`,
      );
    }
    checked.domain = domain;
  }
  if (changes.searchLanguage !== undefined) {
    const language = changes.searchLanguage.trim();
    if (!languages.includes(language)) {
      problems.add(
        'searchLanguage',
        `Unknown search language ${quoted(language)}. Use one of: ${languages.join(', ')}.`,
      );
    }
    checked.searchLanguage = language;
  }
  problems.throwIfAny();
  return checked;
}
