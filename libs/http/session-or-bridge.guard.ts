import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DomainError } from '../kernel/errors.js';
import { SessionGuard } from './session.guard.js';

/** A person signed in by cookie, or for reading a bridge with the scope `agent`. */
@Injectable()
export class SessionOrBridgeGuard implements CanActivate {
  constructor(private readonly session: SessionGuard) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const connection = request.loupe?.connection;
    if (!connection) return this.session.canActivate(context);
    if (!connection.scopes.includes('agent'))
      throw new DomainError(
        'forbidden',
        'insufficient_scope',
        'This sign-in does not carry the agent scope. Connect the client again.',
      );
    if (request.method !== 'GET')
      throw new DomainError('forbidden', 'forbidden', 'Bridges read boards; they do not change them.');
    return true;
  }
}
