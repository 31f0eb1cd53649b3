import type { LoggerService } from '@nestjs/common';
import { type Logger, pino } from 'pino';
import { requestFacts } from '#libs/kernel/request-context.js';

/** One JSON object a line on standard output (`platform.md` 11.3). */
export function createLogger(level: string): Logger {
  return pino({
    level,
    messageKey: 'msg',
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => {
      const facts = requestFacts();
      return facts ? { traceId: facts.traceId } : {};
    },
    // What libraries put on errors may hold statements with parameters; type, message and stack are enough.
    serializers: {
      err: (error: Error) => ({ type: error.name, message: error.message, stack: error.stack }),
    },
  });
}

/** Nest's own logging, through the same lines. */
export class JsonLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    // Nest tells each route and module it finds; nobody reads that in production.
    this.write('debug', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  private write(
    level: 'trace' | 'debug' | 'warn' | 'error' | 'fatal',
    message: unknown,
    rest: unknown[],
  ): void {
    const context = rest.at(-1);
    const fields: Record<string, unknown> = typeof context === 'string' ? { context } : {};
    if (message instanceof Error) this.logger[level]({ ...fields, err: message }, message.message);
    else if (typeof message === 'object' && message !== null) this.logger[level]({ ...fields, ...message });
    else {
      const stack = rest.length > 1 && typeof rest[0] === 'string' ? { stack: rest[0] } : {};
      this.logger[level]({ ...fields, ...stack }, String(message));
    }
  }
}
