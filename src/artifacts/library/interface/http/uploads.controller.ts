import { Controller, HttpCode, Param, Put, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { HttpRequest, HttpResponse } from '#libs/http/exchange.js';
import { DomainError } from '#libs/kernel/errors.js';
import { ReceiveUpload, UPLOAD_EXPIRED } from '../../application/commands/receive-upload.js';

const STATUS: Readonly<Partial<Record<DomainError['kind'], number>>> = {
  'not-found': 404,
  conflict: 409,
  'too-large': 413,
};

/** Uploads by their secret address, for programs without any other credential (`artifacts.md` 7.5). */
@ApiExcludeController()
@Controller('artifact-uploads')
export class UploadsController {
  constructor(private readonly receiveUpload: ReceiveUpload) {}

  @Put(':id/:secret')
  @HttpCode(200)
  async put(
    @Param('id') uploadId: string,
    @Param('secret') secret: string,
    @Req() request: HttpRequest,
    @Res() response: HttpResponse,
  ): Promise<void> {
    response.setHeader('Cache-Control', 'no-store');
    try {
      const length = Number(request.get('content-length') ?? Number.NaN);
      const received = await this.receiveUpload.execute({
        uploadId,
        secret,
        announcedBytes: Number.isSafeInteger(length) ? length : null,
        content: request,
      });
      response.json(received);
    } catch (error) {
      // A client that went away hears nothing.
      if (request.destroyed && !request.complete) return void response.destroy();
      if (!(error instanceof DomainError) || STATUS[error.kind] === undefined) throw error;
      // The rest of the body is not read, so the connection cannot be used again.
      if (!request.complete) response.setHeader('Connection', 'close');
      const status = error.code === UPLOAD_EXPIRED ? 410 : STATUS[error.kind]!;
      response.status(status).json({ error: error.code, message: error.message, traceId: request.traceId });
    }
  }
}
