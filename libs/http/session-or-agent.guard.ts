import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '#libs/kernel/errors.js';
import { SessionGuard } from './session.guard.js';

/** A person signed in by cookie, or a program of theirs with the scope `agent`, for reading and writing. */
@Injectable()
export class SessionOrAgentGuard implements CanActivate {
  constructor(private readonly session: SessionGuard) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const connection = request.loupe?.connection;
    if (!connection && request.loupe?.bearerFailure) {
      throw new DomainError(
        'unauthenticated',
        'invalid_token',
        'The access token is expired or was revoked.',
      );
    }
    if (!connection) return this.session.canActivate(context);
    if (!connection.scopes.includes('agent')) {
      throw new DomainError(
        'forbidden',
        'insufficient_scope',
        'This sign-in does not carry the agent scope. Connect the client again.',
        { facts: { scope: 'agent' } },
      );
    }
    return true;
  }
}
