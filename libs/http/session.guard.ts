import { timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Configuration } from '#libs/configuration/configuration.js';
import { DomainError } from '#libs/kernel/errors.js';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A person signed in by cookie. Writes also need the CSRF token in `Loupe-Csrf-Token` and must come from this origin
 * (`platform.md` 2.2).
 */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(private readonly configuration: Configuration) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const person = request.loupe?.person;
    if (!person) throw new DomainError('unauthenticated', 'unauthenticated', 'Sign in to go on.');
    if (!SAFE.has(request.method)) {
      const sent = request.get('loupe-csrf-token') ?? '';
      if (
        !sameOrigin(request, this.configuration.values.defaultUri) ||
        !equal(sent, person.session.csrfToken)
      ) {
        throw new DomainError(
          'forbidden',
          'csrf',
          'This form is out of date. Reload the page and send it again.',
        );
      }
    }
    return true;
  }
}

/** Like SessionGuard, for instance admins; to everybody else the route does not exist. */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(private readonly session: SessionGuard) {}

  canActivate(context: ExecutionContext): boolean {
    const person = context.switchToHttp().getRequest<Request>().loupe?.person;
    if (!person?.actor.isAdmin) throw new DomainError('not-found', 'not_found', 'Not found.');
    return this.session.canActivate(context);
  }
}

/** True when the browser says that the request comes from this origin, or says nothing about it. */
export function sameOrigin(request: Request, defaultUri: string): boolean {
  const origin = request.get('origin');
  if (origin !== undefined)
    return origin === defaultUri || origin === `${request.protocol}://${request.get('host')}`;
  const site = request.get('sec-fetch-site');
  return site === undefined || site === 'same-origin' || site === 'none';
}

/** Compares two texts in a time that does not tell where they differ. */
export function equal(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
