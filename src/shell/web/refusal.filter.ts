import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { HttpRequest } from '#libs/http/exchange.js';
import { ProblemFilter } from '#libs/http/problem.filter.js';
import { PageFilter } from '#src/identity/interface/http/pages/page.filter.js';
import type { PageSender } from '#src/identity/interface/http/pages/page-sender.js';

/** Programs come here, also when a person looks at their answers in a browser. */
const FOR_PROGRAMS = /^\/(?:api|mcp|git|assets|\.well-known)(?:\/|$)/;

/**
 * What no controller answers by itself: a person who opened an address, perhaps a mistyped one, reads a page that leads
 * on; a program reads problem JSON (`platform.md` 2.2).
 */
@Catch()
export class RefusalFilter implements ExceptionFilter {
  private readonly problems = new ProblemFilter();
  private readonly pages: PageFilter;

  constructor(sender: PageSender) {
    this.pages = new PageFilter(sender);
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<HttpRequest>();
    const filter = opensPage(request) ? this.pages : this.problems;
    filter.catch(error, host);
  }
}

function opensPage({ method, path, headers }: HttpRequest): boolean {
  return method === 'GET' && !FOR_PROGRAMS.test(path) && /\btext\/html\b/.test(headers.accept ?? '');
}
