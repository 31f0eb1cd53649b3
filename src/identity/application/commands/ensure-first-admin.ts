import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import type { SystemActor } from '#libs/kernel/actor.js';
import { DomainError, InvalidInput } from '#libs/kernel/errors.js';
import { Installation } from '../installation.js';
import { InstallInstance } from './install-instance.js';

const START: SystemActor = { kind: 'system', jobName: 'start' };

/** The start stops with it and says what to set. */
export class FirstAdminRefused extends Error {
  override readonly name = 'StartError';
}

/**
 * Makes the admin that `LOUPE_ADMIN_EMAIL` and `LOUPE_ADMIN_PASSWORD` name (`platform.md` 15.1). On an installed instance
 * it changes nothing.
 * @throws FirstAdminRefused that names the variables when their values break the rules; the start stops with it.
 */
@Injectable()
export class EnsureFirstAdmin {
  constructor(
    private readonly configuration: Configuration,
    private readonly installation: Installation,
    private readonly install: InstallInstance,
  ) {}

  async execute(): Promise<{ readonly made: boolean }> {
    const { firstAdmin } = this.configuration.values;
    if (!firstAdmin || (await this.installation.isDone())) return { made: false };
    try {
      await this.install.execute(START, {
        email: firstAdmin.email,
        password: firstAdmin.password,
        displayName: nameFrom(firstAdmin.email),
      });
      return { made: true };
    } catch (error) {
      // Another process of the same start was faster.
      if (error instanceof DomainError && error.code === 'already_installed') return { made: false };
      if (!(error instanceof InvalidInput)) throw error;
      const lines = error.problems.map(
        ({ argument, sentence }) =>
          `  ${argument === 'password' ? 'LOUPE_ADMIN_PASSWORD' : 'LOUPE_ADMIN_EMAIL'}: ${sentence}`,
      );
      throw new FirstAdminRefused(`The first administrator cannot be made:\n${lines.join('\n')}`);
    }
  }
}

function nameFrom(email: string): string {
  return email.split('@')[0]?.trim().slice(0, 100) || 'Administrator';
}
