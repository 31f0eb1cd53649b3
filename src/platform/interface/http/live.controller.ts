import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import type { HttpRequest, HttpResponse } from '#libs/http/exchange.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { PersonActor } from '#libs/kernel/actor.js';
import type { OpenStream } from '../../application/live-streams.js';
import { OpenLiveStream } from '../../application/queries/open-live-stream.js';
import { EventStream } from './event-stream.js';

/** The event stream of a page (`platform.md` 9). */
@Controller('api/live')
@UseGuards(SessionGuard)
export class LiveController {
  constructor(private readonly openStream: OpenLiveStream) {}

  @Get()
  async follow(
    @CurrentActor() actor: PersonActor,
    @Req() request: HttpRequest,
    @Res() response: HttpResponse,
  ): Promise<void> {
    let stream: OpenStream | null = null;
    let gone = false;
    const close = (): void => {
      gone = true;
      stream?.close();
    };
    response.on('close', close);
    stream = await this.openStream.execute(
      actor,
      { topics: topicsOf(request.query.topics), lastEventId: request.get('last-event-id') ?? null },
      new EventStream(response, close),
    );
    if (stream === null) response.status(204).end();
    else if (gone) stream.close();
  }
}

function topicsOf(given: unknown): string[] {
  const texts = Array.isArray(given) ? given : [given];
  return texts
    .filter((text): text is string => typeof text === 'string')
    .flatMap((text) => text.split(','))
    .map((topic) => topic.trim())
    .filter(Boolean);
}
