import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Injectable,
  Logger,
} from '@nestjs/common';
import type { HttpRequest, HttpResponse } from '#libs/http/exchange.js';
import { DomainError, type RefusalKind } from '#libs/kernel/errors.js';
import { errorPage } from './error-page.js';
import { PageSender } from './page-sender.js';

const STATUS: Record<RefusalKind, number> = {
  invalid: 422,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'switched-off': 404,
  conflict: 409,
  'too-large': 413,
  'rate-limited': 429,
  unavailable: 503,
};

/** Status that a refusal has on a page. */
export function statusOf(error: DomainError): number {
  return STATUS[error.kind];
}

/** Answers what controllers of pages throw with a page; anything unexpected gets a reference and nothing else. */
@Injectable()
@Catch()
export class PageFilter implements ExceptionFilter {
  private readonly logger = new Logger('pages');

  constructor(private readonly pages: PageSender) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<HttpRequest>();
    const response = http.getResponse<HttpResponse>();
    if (response.headersSent) {
      response.end();
      return;
    }
    if (error instanceof DomainError) {
      const { retryAfterSeconds } = error.detail;
      if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
      this.pages.send(response, errorPage({ status: statusOf(error), sentence: error.message }));
      return;
    }
    if (error instanceof HttpException && error.getStatus() < 500) {
      const status = error.getStatus();
      const sentence =
        status === 404 ? 'There is no page at this address.' : 'The request could not be read.';
      this.pages.send(response, errorPage({ status, sentence }));
      return;
    }
    this.logger.error({ msg: 'A page failed', traceId: request.traceId, err: error });
    this.pages.send(
      response,
      errorPage({
        status: 500,
        sentence: 'Something went wrong on the server. What you had typed was not saved.',
        reference: request.traceId,
      }),
    );
  }
}
