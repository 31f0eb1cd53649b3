import { InvalidInput } from '#libs/kernel/errors.js';
import type { ArtifactType, FileKind, Framework } from './artifact-types.js';
import { extensionOf } from './content-kind.js';

/** What is known of a file before it is stored. */
export interface KnownFile {
  readonly path: string;
  readonly kind: FileKind;
  readonly sniffedType: string | null;
}

const MEDIA = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'video/mp4',
  'video/webm',
]);

/** Names for files that come without one, by their type. */
const NAMES: Readonly<Record<string, string>> = {
  'image/png': 'image.png',
  'image/jpeg': 'image.jpg',
  'image/gif': 'image.gif',
  'image/webp': 'image.webp',
  'image/avif': 'image.avif',
  'video/mp4': 'video.mp4',
  'video/webm': 'video.webm',
};

/** What an artifact of a type must hold (`artifacts.md` 7.1). @throws InvalidInput. */
export function requireContentOf(
  type: ArtifactType,
  framework: Framework | null,
  files: readonly KnownFile[],
  argument: 'files' | 'zipUploadId',
): void {
  const problem = problemOf(type, framework, files);
  if (problem !== null) throw new InvalidInput([{ argument, sentence: problem }]);
}

function problemOf(
  type: ArtifactType,
  framework: Framework | null,
  files: readonly KnownFile[],
): string | null {
  const has = (path: string): boolean => files.some((file) => file.path === path);
  switch (type) {
    case 'app':
      return has('index.html') || (framework === 'react' && has('public/index.html'))
        ? null
        : 'artifactType app needs an index.html among your files. For a document pass artifactType markdown.';
    case 'markdown':
      return files.some(({ path }) => extensionOf(path) === 'md')
        ? null
        : 'artifactType markdown needs at least one .md file among your files.';
    case 'asset':
      return files.length === 1 && isMedia(files[0]!)
        ? null
        : 'artifactType asset needs exactly one image (PNG, JPEG, GIF, WebP, SVG, AVIF) or video (MP4, WebM).';
  }
}

function isMedia({ path, kind, sniffedType }: KnownFile): boolean {
  if (kind === 'text') return extensionOf(path) === 'svg';
  return sniffedType !== null && MEDIA.has(sniffedType);
}

/** A name for the bytes of an asset that were uploaded as they are; null when they are no medium. */
export function nameOfAsset(sniffedType: string | null, textStart: string | null): string | null {
  if (textStart !== null)
    return /^\uFEFF?\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*(<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/.test(
      textStart,
    )
      ? 'image.svg'
      : null;
  return sniffedType === null ? null : (NAMES[sniffedType] ?? null);
}

/**
 * The framework that a `package.json` at the root speaks of.
 * @param text null when there is none.
 */
export function detectFramework(text: string | null): {
  readonly framework: Framework;
  readonly note: string | null;
} {
  if (text === null) return { framework: 'html', note: null };
  try {
    const { dependencies, devDependencies, peerDependencies } = JSON.parse(text) as Record<string, unknown>;
    const react = [dependencies, devDependencies, peerDependencies].some(
      (group) => typeof group === 'object' && group !== null && Object.hasOwn(group, 'react'),
    );
    return { framework: react ? 'react' : 'html', note: null };
  } catch {
    return { framework: 'html', note: 'package.json could not be read, so framework html was taken.' };
  }
}
