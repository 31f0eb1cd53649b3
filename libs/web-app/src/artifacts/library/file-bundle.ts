import { zip } from 'fflate';

/** A file with the place it has in its folder. */
export interface Picked {
  readonly path: string;
  readonly file: File;
}

/** What a set of chosen files will become. */
export type Plan =
  | { readonly kind: 'zip'; readonly file: File }
  | { readonly kind: 'asset'; readonly file: File }
  | { readonly kind: 'files'; readonly artifactType: 'app' | 'markdown'; readonly files: readonly Picked[] }
  | { readonly kind: 'nothing'; readonly why: string };

const ZIP = /\.zip$/i;
const PAGE = /\.html?$/i;
const MARKDOWN = /\.(md|markdown)$/i;
const MEDIA = /\.(png|jpe?g|gif|webp|svg|avif|mp4|webm)$/i;

/** Decides by the names: one zip, one image or video, a page with its files, or Markdown. */
export function planOf(picked: readonly Picked[]): Plan {
  const [first] = picked;
  if (!first) return { kind: 'nothing', why: 'Choose files first.' };
  if (picked.length === 1 && ZIP.test(first.path)) return { kind: 'zip', file: first.file };
  if (picked.length === 1 && MEDIA.test(first.path)) return { kind: 'asset', file: first.file };
  if (picked.some(({ path }) => ZIP.test(path))) {
    return { kind: 'nothing', why: 'Add one zip by itself, or files without a zip.' };
  }
  if (
    picked.some(({ path }) => PAGE.test(path)) ||
    picked.some(({ path }) => /(^|\/)package\.json$/.test(path))
  ) {
    return { kind: 'files', artifactType: 'app', files: picked };
  }
  if (picked.some(({ path }) => MARKDOWN.test(path))) {
    return { kind: 'files', artifactType: 'markdown', files: picked };
  }
  return { kind: 'nothing', why: 'Nothing to show: add an .html file, a .md file, or one image or video.' };
}

/** A name for the artifact from the names of its files: the shared folder, or the only file. */
export function nameOf(picked: readonly Picked[]): string {
  const [first] = picked;
  if (!first) return '';
  const [top = ''] = first.path.split('/');
  const shared = first.path.includes('/') && picked.every(({ path }) => path.startsWith(`${top}/`));
  const from = shared ? top : picked.length === 1 ? first.path : '';
  const words = from
    .replace(/\.[a-z0-9]+$/i, '')
    .replace(/[-_.]+/g, ' ')
    .trim();
  return words === '' ? '' : words[0]!.toUpperCase() + words.slice(1, 120);
}

/** One zip with all files, made without compressing what is compressed already. */
export async function bundle(files: readonly Picked[]): Promise<Blob> {
  const entries: Record<string, [Uint8Array<ArrayBuffer>, { level: 0 | 6 }]> = {};
  for (const { path, file } of files) {
    const packed = /\.(png|jpe?g|gif|webp|avif|mp4|webm|mp3|woff2?|zip)$/i.test(path);
    entries[path] = [new Uint8Array(await file.arrayBuffer()), { level: packed ? 0 : 6 }];
  }
  return new Promise((resolve, reject) => {
    zip(entries, (problem, bytes) =>
      problem ? reject(problem) : resolve(new Blob([new Uint8Array(bytes)], { type: 'application/zip' })),
    );
  });
}

/** Files of a drop, with those in folders. Links and what cannot be read are left out by the browser. */
export async function pickedFromDrop(transfer: DataTransfer): Promise<Picked[]> {
  const entries = [...transfer.items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null;
    return entry ? [entry] : [];
  });
  if (entries.length === 0) return pickedFromInput([...transfer.files]);
  const found: Picked[] = [];
  for (const entry of entries) await walk(entry, '', found);
  return found;
}

export function pickedFromInput(files: readonly File[]): Picked[] {
  return files.map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

async function walk(entry: FileSystemEntry, folder: string, found: Picked[]): Promise<void> {
  const path = `${folder}${entry.name}`;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    found.push({ path, file });
    return;
  }
  // Such folders are never stored; reading them could take minutes.
  if (['node_modules', '.git', '__MACOSX'].includes(entry.name)) return;
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return;
    for (const one of part) await walk(one, `${path}/`, found);
  }
}

/** Sends the bytes; `onProgress` hears the share sent, 0 to 1. @throws Error with the sentence of the server. */
export function sendBytes(
  url: string,
  body: Blob,
  type: string,
  onProgress: (share: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    request.setRequestHeader('content-type', type);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.onload = () => {
      if (request.status < 300) resolve();
      else
        reject(new Error(messageOf(request.responseText) ?? `The upload was refused (${request.status}).`));
    };
    request.onerror = () => reject(new Error('The upload broke off. Check the connection and try again.'));
    request.send(body);
  });
}

function messageOf(text: string): string | null {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    return typeof message === 'string' ? message : null;
  } catch {
    return text.length > 0 && text.length < 300 && !text.startsWith('<') ? text : null;
  }
}
