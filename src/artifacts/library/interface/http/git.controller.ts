import { All, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { HttpRequest, HttpResponse } from '#libs/http/exchange.js';
import { DomainError } from '#libs/kernel/errors.js';
import { ServeGit } from '../../application/commands/serve-git.js';

const STATUS: Readonly<Partial<Record<DomainError['kind'], number>>> = {
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  unavailable: 503,
};

/** Artifacts for git clients: the smart HTTP protocol and nothing else (`artifacts.md` 7.6). */
@ApiExcludeController()
@Controller('git')
export class GitController {
  constructor(private readonly serveGit: ServeGit) {}

  @Get(':repository/info/refs')
  async refs(
    @Param('repository') repository: string,
    @Query('service') service: unknown,
    @Req() request: HttpRequest,
    @Res() response: HttpResponse,
  ): Promise<void> {
    // Express answers HEAD with the handler of GET; git never asks so.
    if (request.method !== 'GET') return notFound(response);
    await this.serve(repository, typeof service === 'string' ? service : '', true, request, response);
  }

  @Post(':repository/git-upload-pack')
  async uploadPack(
    @Param('repository') repository: string,
    @Req() request: HttpRequest,
    @Res() response: HttpResponse,
  ): Promise<void> {
    await this.serve(repository, 'git-upload-pack', false, request, response);
  }

  @Post(':repository/git-receive-pack')
  async receivePack(
    @Param('repository') repository: string,
    @Req() request: HttpRequest,
    @Res() response: HttpResponse,
  ): Promise<void> {
    await this.serve(repository, 'git-receive-pack', false, request, response);
  }

  @All('*path')
  nothingElse(@Res() response: HttpResponse): void {
    notFound(response);
  }

  private async serve(
    repository: string,
    service: string,
    advertise: boolean,
    request: HttpRequest,
    response: HttpResponse,
  ): Promise<void> {
    const name = /^([0-9a-f-]{36})\.git$/i.exec(repository)?.[1];
    if (name === undefined) return notFound(response);
    try {
      const answer = await this.serveGit.execute({
        artifactId: name,
        service,
        advertise,
        authorization: request.get('authorization') ?? null,
        contentType: request.get('content-type') ?? null,
        contentEncoding: request.get('content-encoding') ?? null,
        protocol: request.get('git-protocol') ?? null,
        body: advertise ? null : request,
      });
      response.status(answer.status);
      for (const [header, value] of answer.headers) response.setHeader(header, value);
      const { body } = answer;
      body.on('error', () => response.destroy());
      response.once('close', () => {
        // A push goes on to its end when the client has gone; a clone has nobody left to send to.
        if (response.writableFinished) return;
        if (service === 'git-receive-pack' && !advertise) body.resume();
        else body.destroy();
      });
      body.pipe(response);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.refuse(error, request, response);
    }
  }

  /** Plain text, because git prints it behind `remote:`. */
  private refuse(error: DomainError, request: HttpRequest, response: HttpResponse): void {
    const status = STATUS[error.kind] ?? 400;
    if (status === 401) response.setHeader('WWW-Authenticate', 'Basic realm="Loupe artifacts"');
    const { retryAfterSeconds } = error.detail;
    if (status === 503) response.setHeader('Retry-After', String(retryAfterSeconds ?? 5));
    // The rest of the body is not read, so the connection cannot be used again.
    if (!request.readableEnded && request.method === 'POST') response.setHeader('Connection', 'close');
    response.status(status).type('text/plain').setHeader('Cache-Control', 'no-store');
    response.send(`${error.message}\n`);
  }
}

function notFound(response: HttpResponse): void {
  response.status(404).type('text/plain').setHeader('Cache-Control', 'no-store');
  response.send('Not found.\n');
}
