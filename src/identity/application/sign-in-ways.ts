import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { DomainError } from '#libs/kernel/errors.js';

/** By which ways people sign in to this instance. */
@Injectable()
export class SignInWays {
  constructor(private readonly configuration: Configuration) {}

  /** False when the operator leaves sign-in to the company alone. */
  get password(): boolean {
    return this.configuration.values.companySignIn?.passwordLogin ?? true;
  }

  get company(): boolean {
    return this.configuration.values.companySignIn !== null;
  }

  /** @throws DomainError `password_login_off`. */
  requirePassword(): void {
    if (this.password) return;
    throw new DomainError(
      'forbidden',
      'password_login_off',
      'This instance takes no passwords. Sign in through your company.',
    );
  }
}
