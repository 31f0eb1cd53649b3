import { Controller, Get, Header, Query, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { PersonActor } from '#libs/kernel/actor.js';
import { notFound } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { SearchAll, type SearchAnswer } from '../../application/queries/search-all.js';

/** The search of the palette and of `/search` (`platform.md` 10). */
@Controller('api/search')
@UseGuards(SessionGuard)
export class SearchController {
  constructor(private readonly searchAll: SearchAll) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  search(
    @CurrentActor() actor: PersonActor,
    @Query('q') q: unknown,
    @Query('project') project: unknown,
    @Query('page') page: unknown,
  ): Promise<SearchAnswer> {
    return this.searchAll.execute(actor, {
      query: typeof q === 'string' ? q : '',
      projectId: knownProject(project),
      page: typeof page === 'string' && /^\d{1,9}$/.test(page) ? Number(page) : null,
    });
  }
}

/** Absent and empty take all projects; what is no id is answered like an unknown project. */
function knownProject(given: unknown): string | null {
  if (given === undefined || given === '') return null;
  if (typeof given !== 'string' || !isUuid(given)) throw notFound('Project');
  return given.toLowerCase();
}
