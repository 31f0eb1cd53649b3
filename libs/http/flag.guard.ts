import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { DomainError } from '#libs/kernel/errors.js';
import { Flags } from '#libs/kernel/ports/flags.js';

const FLAG = 'loupe:flag';

/**
 * Names the flags of a section; with `FlagGuard`, its routes answer 404 `switched_off` while one of them is off. The
 * first that is off, in this order, gives the sentence.
 */
export const RequireFlag = (...names: string[]) => SetMetadata(FLAG, names);

/** Hides the routes of a section that is switched off (`platform.md` 2.2). Goes after the guard of the sign-in. */
@Injectable()
export class FlagGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly flags: Flags,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const names = this.reflector.getAllAndOverride<string[] | undefined>(FLAG, [
      context.getHandler(),
      context.getClass(),
    ]);
    const name = names?.find((flag) => !this.flags.isOn(flag));
    if (name === undefined) return true;
    throw new DomainError('switched-off', 'switched_off', this.flags.refusal(name));
  }
}
