import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '#libs/kernel/clock.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { GitTokens } from '../ports/git-tokens.js';

const SWITCHES = ['artifacts.enabled', 'artifacts.git.enabled'];

/** Git tokens end for good when git access is switched off; switching it on again brings none back. */
@Injectable()
export class WhenGitSwitchedOff implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('artifacts');
  private forget: () => void = () => undefined;

  constructor(
    private readonly flags: Flags,
    private readonly tokens: GitTokens,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.forget = this.flags.onChange((names) => {
      if (!names.some((name) => SWITCHES.includes(name) && !this.flags.isOn(name))) return;
      // Every process hears of the change; whoever comes later finds nothing left to end.
      this.tokens.revokeAll(this.clock.now()).catch((error: unknown) => this.logger.error(error));
    });
  }

  onApplicationShutdown(): void {
    this.forget();
  }
}
