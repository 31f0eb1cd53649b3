import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { HttpRequest, HttpResponse, NextFunction } from '#libs/http/exchange.js';
import { DomainError } from '#libs/kernel/errors.js';
import { ArtifactBlobs } from '#src/artifacts/library/application/ports/artifact-blobs.js';
import { PreviewAddresses } from '../../application/ports/preview-addresses.js';
import type { PreviewFile } from '../../application/ports/preview-builder.js';
import { type PreviewAnswer, ResolvePreview } from '../../application/queries/resolve-preview.js';
import { type PreviewPolicy, previewHeaders } from '../../domain/preview-headers.js';
import { rewrittenCss, rewrittenHtml } from '../../domain/root-addresses.js';
import { typeHeaders } from '../../domain/served-type.js';
import { type ByteRange, readRange } from './byte-range.js';
import { notePage } from './note-page.js';

/** Texts up to this size, in bytes, get their root-absolute addresses rewritten; larger ones go out as they are. */
const REWRITE_MAX_BYTES = 2 * 1024 * 1024;
/** Longest time that one page keeps the others waiting, in milliseconds. */
const SLICE_MS = 10;
const YEAR_SECONDS = 31_536_000;

/** For answers that show nothing of an artifact. */
const NOTHING: PreviewPolicy = { base: null, hosts: [], framedBy: null, ownOrigin: false, scripts: false };

/**
 * The door of previews and live pages. It stands before everything else of the server, so that no cookie is read for it
 * and that a host of previews answers nothing but previews (`artifacts.md` 10.1, 10.2).
 */
@Injectable()
export class PreviewDoor {
  private readonly logger = new Logger('previews');

  constructor(
    private readonly addresses: PreviewAddresses,
    private readonly resolve: ResolvePreview,
    private readonly blobs: ArtifactBlobs,
  ) {}

  readonly handle = (request: HttpRequest, response: HttpResponse, next: NextFunction): void => {
    const place = this.addresses.placeOf(request.host ?? '', request.originalUrl.split('?', 1)[0]!);
    if (place.kind === 'application') {
      next();
      return;
    }
    // A worker of that kind outlives its page, and an app that was taken down would live on in it.
    if (request.get('service-worker') !== undefined) {
      response.set(previewHeaders(NOTHING));
      sendText(request, response, 404, notePage('Not found', 'Previews have no service workers.'));
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response
        .status(405)
        .set(previewHeaders(NOTHING))
        .set({ Allow: 'GET, HEAD', 'Cache-Control': 'no-store', 'Content-Type': 'text/plain; charset=utf-8' })
        .send('Only GET and HEAD are served here.');
      return;
    }
    this.resolve
      .execute(place)
      .then((answer) => this.send(request, response, answer))
      .catch((error: unknown) => this.fail(request, response, error));
  };

  private async send(request: HttpRequest, response: HttpResponse, answer: PreviewAnswer): Promise<void> {
    response.set(previewHeaders(answer.policy));
    if (answer.kind === 'note') {
      sendText(request, response, answer.status, notePage(answer.title, answer.sentence));
      return;
    }
    const { file, pinned, policy } = answer;
    const etag = `"${file.sha256}"`;
    response.set({
      ETag: etag,
      'Accept-Ranges': 'bytes',
      'Cache-Control': pinned ? `private, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
    });
    if (matches(request.get('if-none-match'), etag)) {
      response.status(304).end();
      return;
    }
    response.set(typeHeaders(file.contentType, file.kind === 'text'));
    const base = policy.base === null ? '/' : new URL(policy.base).pathname;
    const rewritten = base === '/' ? null : await this.rewritten(file, base);
    const bytes = rewritten?.length ?? file.bytes;
    const conditional = request.get('if-range');
    const asked = conditional === undefined || conditional === etag ? request.get('range') : undefined;
    const range = readRange(asked, bytes);
    if (range === 'unsatisfiable') {
      response.set('Content-Range', `bytes */${bytes}`);
      sendText(request, response, 416, notePage('No such range', 'The file is shorter than that.'));
      return;
    }
    if (range !== null) {
      response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${bytes}`);
    }
    response.set('Content-Length', String(range === null ? bytes : range.end - range.start + 1));
    if (request.method === 'HEAD') response.end();
    else if (rewritten !== null) {
      response.end(range === null ? rewritten : rewritten.subarray(range.start, range.end + 1));
    } else await this.stream(response, file, range);
  }

  private async rewritten(file: PreviewFile, base: string): Promise<Buffer | null> {
    const rewrite =
      file.contentType === 'text/html'
        ? rewrittenHtml
        : file.contentType === 'text/css'
          ? rewrittenCss
          : null;
    if (rewrite === null || file.bytes > REWRITE_MAX_BYTES) return null;
    const content = await this.blobs.read(file.sha256, REWRITE_MAX_BYTES);
    return inSlices(rewrite(content.toString('utf8'), base));
  }

  private async stream(response: HttpResponse, file: PreviewFile, range: ByteRange | null): Promise<void> {
    if (file.bytes === 0) {
      response.end();
      return;
    }
    const content = await this.blobs.open(file.sha256, range ?? undefined);
    try {
      await pipeline(content, response);
    } catch (error) {
      // A browser that went away is no fault.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    }
  }

  private fail(request: HttpRequest, response: HttpResponse, error: unknown): void {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const expected = error instanceof DomainError && error.kind === 'unavailable';
    if (!expected) this.logger.error({ msg: 'A preview failed', traceId: request.traceId, err: error });
    for (const name of ['Content-Length', 'Content-Range', 'Content-Disposition', 'ETag'])
      response.removeHeader(name);
    if (!response.hasHeader('Content-Security-Policy')) {
      response.set(previewHeaders(NOTHING));
    }
    sendText(
      request,
      response,
      expected ? 503 : 500,
      notePage(
        'Not readable',
        expected ? error.message : `Something went wrong on the server. Reference: ${request.traceId}`,
      ),
    );
  }
}

/** Does the work bit by bit, so that a page that is made to be slow holds nobody up. */
async function inSlices(parts: Iterable<string>): Promise<Buffer> {
  const done: string[] = [];
  let began = performance.now();
  for (const part of parts) {
    if (part !== '') done.push(part);
    if (performance.now() - began < SLICE_MS) continue;
    await setImmediate();
    began = performance.now();
  }
  return Buffer.from(done.join(''));
}

function sendText(request: HttpRequest, response: HttpResponse, status: number, page: string): void {
  const body = Buffer.from(page);
  response
    .status(status)
    .set({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Length': String(body.length),
    })
    .end(request.method === 'HEAD' ? undefined : body);
}

function matches(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false;
  return given.split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*');
}
