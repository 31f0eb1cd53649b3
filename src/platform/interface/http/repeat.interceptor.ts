import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { HttpRequest, HttpResponse } from '#libs/http/exchange.js';
import { hashOfArguments } from '#libs/kernel/canonical-json.js';
import { InvalidInput } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { RequestResults } from '#libs/kernel/ports/request-results.js';
import { notingSavedChanges } from '#libs/kernel/saved-changes.js';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Writes under `/api` that carry `Loupe-Request-Id` act once (`platform.md` 2.2): a repeat gets the kept answer. It
 * stands after the guards, so a repeat by somebody else finds nothing.
 */
@Injectable()
export class RepeatInterceptor implements NestInterceptor {
  constructor(private readonly results: RequestResults) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const request = context.switchToHttp().getRequest<HttpRequest>();
    if (SAFE.has(request.method)) return next.handle();
    return notingSavedChanges(() => this.change(context, request, next));
  }

  private change(context: ExecutionContext, request: HttpRequest, next: CallHandler): Observable<unknown> {
    const response = context.switchToHttp().getResponse<HttpResponse>();
    const requestId = request.get('loupe-request-id');
    const principal = principalOf(request);
    if (
      requestId === undefined ||
      principal === null ||
      !request.path.startsWith('/api/') ||
      !hasPlainBody(request)
    ) {
      return next.handle();
    }
    if (!isUuid(requestId)) {
      throw new InvalidInput([{ argument: 'Loupe-Request-Id', sentence: 'must be a UUID' }]);
    }
    return from(this.once(request, response, next, principal, requestId.toLowerCase()));
  }

  private async once(
    request: HttpRequest,
    response: HttpResponse,
    next: CallHandler,
    principal: string,
    requestId: string,
  ): Promise<unknown> {
    const { p, projectId = p } = request.params as Record<string, string | undefined>;
    const key = {
      principal,
      projectId: projectId ?? null,
      requestId,
      operation: `${request.method} ${request.path}`,
      argumentsHash: hashOfArguments({ query: request.query, body: request.body ?? null }),
    };
    const { result, repeated } = await this.results.once(key, async (): Promise<Answer> => {
      const body: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
      return { status: response.statusCode, body };
    });
    if (repeated) response.status(result.status);
    return result.body;
  }
}

function principalOf({ loupe }: HttpRequest): string | null {
  if (loupe?.connection) return `connection:${loupe.connection.connectionId}`;
  return loupe?.person ? `person:${loupe.person.actor.personId}` : null;
}

/** Uploads are streams whose bytes are not at hand here; their routes have rules of their own. */
function hasPlainBody(request: HttpRequest): boolean {
  const length = request.get('content-length');
  if ((length === undefined || length === '0') && request.get('transfer-encoding') === undefined) return true;
  return request.is('application/json') !== false;
}
