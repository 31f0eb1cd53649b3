import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { DomainError, InvalidInput, notFound, Problems } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { LiveStreams, type OpenStream } from '../live-streams.js';
import { LiveFeed, type LiveSink } from '../ports/live-feed.js';

const TOPICS_MAX = 20;
const AREAS = [
  'board',
  'documents',
  'inbox',
  'feedback',
  'runs',
  'artifacts',
  'analytics',
  'activity',
  'members',
  'connect',
];

export interface OpenLiveStreamInput {
  readonly topics: readonly string[];
  /** `Last-Event-ID` of the browser, or null. */
  readonly lastEventId: string | null;
}

/** What the stream writes to; `end` is called once, by whoever ends it first. */
export interface StreamSink extends LiveSink {
  end(): void;
}

/** Opens the event stream of a page: at most 20 topics, at most 10 streams a session (`platform.md` 9). */
@Injectable()
export class OpenLiveStream {
  constructor(
    private readonly flags: Flags,
    private readonly access: ProjectAccess,
    private readonly feed: LiveFeed,
    private readonly streams: LiveStreams,
  ) {}

  /**
   * Null while live updates are switched off.
   * @throws InvalidInput for unknown topics, DomainError `not-found` for a project without `read`, `rate-limited` for an
   *   eleventh stream.
   */
  async execute(
    actor: PersonActor,
    input: OpenLiveStreamInput,
    sink: StreamSink,
  ): Promise<OpenStream | null> {
    if (!this.flags.isOn('live_updates.enabled')) return null;
    const { topics, projectIds } = resolveTopics(actor, input.topics);
    for (const projectId of projectIds) {
      if (!(await this.access.can(actor, projectId, 'read'))) throw notFound('Project');
    }
    const stream = this.streams.open(actor, projectIds, sink);
    if (!stream) {
      throw new DomainError(
        'rate-limited',
        'too_many_streams',
        'Too many pages of this sign-in follow changes. Close some tabs.',
        { retryAfterSeconds: 30 },
      );
    }
    try {
      stream.stopFollowing = await this.feed.follow(topics, input.lastEventId, sink);
    } catch (error) {
      stream.close();
      throw error;
    }
    // The page may have gone while the replay was read.
    if (stream.closed) stream.stopFollowing();
    return stream;
  }
}

function resolveTopics(
  actor: PersonActor,
  given: readonly string[],
): { topics: ReadonlySet<string>; projectIds: string[] } {
  const wanted = [...new Set(given)];
  if (wanted.length === 0 || wanted.length > TOPICS_MAX) {
    throw new InvalidInput([{ argument: 'topics', sentence: `must name 1 to ${TOPICS_MAX} topics` }]);
  }
  const problems = new Problems();
  const topics = new Set<string>();
  const projectIds = new Set<string>();
  wanted.forEach((topic, index) => {
    if (topic === 'me') {
      topics.add(`me:${actor.personId}`);
      return;
    }
    const [kind, id, area, ...rest] = topic.split(':');
    if (
      kind !== 'project' ||
      !isUuid(id) ||
      rest.length > 0 ||
      (area !== undefined && !AREAS.includes(area))
    ) {
      problems.add(
        `topics[${index}]`,
        `must be me, project:<id> or project:<id>:<area>, where the area is one of ${AREAS.join(', ')}`,
      );
      return;
    }
    projectIds.add(id.toLowerCase());
    topics.add(['project', id.toLowerCase(), ...(area === undefined ? [] : [area])].join(':'));
  });
  problems.throwIfAny();
  return { topics, projectIds: [...projectIds] };
}
