import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { Scope } from '#libs/kernel/actor.js';
import { DomainError } from '#libs/kernel/errors.js';

const SCOPE = 'loupe:scope';

/** The scope that a connection needs for a route behind BearerGuard. */
export const RequireScope = (scope: Scope) => SetMetadata(SCOPE, scope);

/** A connection with the scope that `@RequireScope` names (`identity.md` 6.2, last paragraphs). */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const scope = this.reflector.getAllAndOverride<Scope>(SCOPE, [context.getHandler(), context.getClass()]);
    const connection = request.loupe?.connection;
    if (!connection) {
      const bad = request.loupe?.bearerFailure;
      response.setHeader(
        'WWW-Authenticate',
        bad
          ? 'Bearer realm="loupe", error="invalid_token", error_description="The access token is expired or was revoked"'
          : `Bearer realm="loupe", scope="${scope}"`,
      );
      throw new DomainError(
        'unauthenticated',
        bad ?? 'unauthorized',
        bad ? 'The access token is expired or was revoked.' : 'Sign in with OAuth: run `loupe login`.',
      );
    }
    if (!connection.scopes.includes(scope)) {
      const message = `This sign-in does not carry the ${scope} scope. Connect the client again.`;
      response.setHeader(
        'WWW-Authenticate',
        `Bearer error="insufficient_scope", scope="${scope}", error_description="${message}"`,
      );
      throw new DomainError('forbidden', 'insufficient_scope', message, { facts: { scope } });
    }
    return true;
  }
}
