import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError, InvalidInput, type RefusalKind } from '#libs/kernel/errors.js';

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

const CODE_OF_STATUS: Record<number, string> = {
  400: 'bad_request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  410: 'gone',
  413: 'too_large',
  415: 'unsupported_media_type',
};

/** The body of every refusal under `/api` (`platform.md` 2.2). */
export interface ProblemBody {
  readonly error: string;
  readonly message: string;
  readonly fields?: Record<string, string>;
  readonly current?: unknown;
  readonly traceId?: string;
  readonly [fact: string]: unknown;
}

/** Turns refusals into problem JSON, and everything unexpected into a reference id. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('http');

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    if (response.headersSent) {
      response.end();
      return;
    }
    const { status, body } = this.answer(error, request);
    if (body.retryAfter !== undefined) response.setHeader('Retry-After', String(body.retryAfter));
    response.status(status).setHeader('Cache-Control', 'no-store').json(body);
  }

  private answer(error: unknown, request: Request): { status: number; body: ProblemBody } {
    const { traceId } = request;
    if (error instanceof InvalidInput) {
      const fields: Record<string, string> = {};
      for (const { argument, sentence } of error.problems) fields[argument] ??= sentence;
      return {
        status: 422,
        body: {
          error: 'invalid',
          message: 'Some fields need another look. Nothing was saved.',
          fields,
          traceId,
        },
      };
    }
    if (error instanceof DomainError) {
      const { argument, current, retryAfterSeconds, facts } = error.detail;
      const status = STATUS[error.kind];
      return {
        status,
        body: {
          error: error.code,
          message: error.message,
          ...(argument && status === 422 ? { fields: { [argument]: error.message } } : {}),
          ...(current === undefined ? {} : { current }),
          ...(retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds }),
          ...facts,
          traceId,
        },
      };
    }
    const status = error instanceof HttpException ? error.getStatus() : statusOf(error);
    if (status !== undefined && status < 500) {
      return {
        status,
        body: { error: CODE_OF_STATUS[status] ?? 'bad_request', message: messageOf(error, status), traceId },
      };
    }
    this.logger.error({ msg: 'A request failed', traceId, err: error });
    return {
      status: 500,
      body: {
        error: 'failed',
        message: `Something went wrong on the server. Reference: ${traceId}`,
        traceId,
      },
    };
  }
}

/** Errors of the body parsers carry a status of their own. */
function statusOf(error: unknown): number | undefined {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' ? status : undefined;
}

function messageOf(error: unknown, status: number): string {
  if (status === 413) return 'The body is too large. The limit is 4 MiB.';
  if (status === 404) return 'Not found.';
  if (status === 400 && !(error instanceof HttpException)) return 'The body is not valid JSON.';
  return error instanceof Error ? error.message : 'The request is not valid.';
}
