import { Configuration } from '#libs/configuration/configuration.js';
import type { ConnectionActor, PersonActor } from '#libs/kernel/actor.js';
import { UuidV7Ids } from '#libs/kernel/ids.js';
import { connectionActor, personActor } from '#libs/kernel/testing/actors.js';
import { FakeProjectAccess } from '#libs/kernel/testing/fake-project-access.js';
import { FixedClock } from '#libs/kernel/testing/fixed-clock.js';
import {
  RecordingAudit,
  RecordingLiveUpdates,
  RecordingOutbox,
} from '#libs/kernel/testing/recording-ports.js';
import type { Database } from '#libs/persistence/database.js';
import { MemoryRateLimiter } from '#libs/rate-limiting/testing/memory-rate-limiter.js';
import { NamedPeople } from '#src/identity/testing/named-people.js';
import { ActorNames } from '#src/platform/application/ports/actor-names.js';
import { FixedFlags } from '#src/platform/testing/fixed-flags.js';
import { DeleteTypedArtifact } from '../application/commands/delete-typed-artifact.js';
import {
  type ProducedTypedArtifact,
  ProduceTypedArtifact,
  type ProduceTypedArtifactInput,
} from '../application/commands/produce-typed-artifact.js';
import { DrawnPictures } from '../application/drawn-pictures.js';
import { ChartReader } from '../application/queries/chart-reader.js';
import { GetChart } from '../application/queries/get-chart.js';
import { GetChartFile } from '../application/queries/get-chart-file.js';
import { GetTypedArtifact } from '../application/queries/get-typed-artifact.js';
import { ListCharts } from '../application/queries/list-charts.js';
import { ListThreads } from '../application/queries/list-threads.js';
import { ListTypedArtifacts } from '../application/queries/list-typed-artifacts.js';
import { AjvPayloadCheck } from '../infrastructure/ajv-payload-check.js';
import { ConfiguredTypedLinks } from '../infrastructure/configured-typed-links.js';
import { PostgresTypedArtifacts } from '../infrastructure/postgres-typed-artifacts.js';
import { SvgChartRenderer } from '../infrastructure/svg/svg-chart-renderer.js';

/** A small line chart that its schema lets in. */
export const LINE = {
  series: [
    {
      name: 'EU',
      points: [
        { x: 'Mon', y: 1 },
        { x: 'Tue', y: null },
      ],
    },
  ],
};

/** The use cases of typed artifacts on a real database, with one project and its people. */
export class TypedRig {
  readonly ids = new UuidV7Ids();
  readonly projectId = this.ids.next();
  readonly ownerId = this.ids.next();
  readonly viewerId = this.ids.next();
  readonly strangerId = this.ids.next();
  readonly access = new FakeProjectAccess().add(this.projectId, this.ownerId, { [this.viewerId]: 'viewer' });
  readonly flags = new FixedFlags({ 'artifacts.typed_per_hour': '100000' });
  readonly outbox = new RecordingOutbox();
  readonly audit = new RecordingAudit();
  readonly live = new RecordingLiveUpdates();
  readonly clock = new FixedClock();
  readonly store: PostgresTypedArtifacts;
  readonly produceArtifact: ProduceTypedArtifact;
  readonly deleteArtifact: DeleteTypedArtifact;
  readonly list: ListTypedArtifacts;
  readonly get: GetTypedArtifact;
  readonly charts: ListCharts;
  readonly threads: ListThreads;
  readonly chart: GetChart;
  readonly file: GetChartFile;

  constructor(readonly database: Database) {
    const configuration = Configuration.fromEnvironment({
      APP_ENV: 'test',
      DEFAULT_URI: 'https://loupe.example.com',
    });
    const links = new ConfiguredTypedLinks(configuration);
    const names = new ActorNames();
    names.register({ personNames: async () => new Map(), connectionName: async () => 'Plan Writer' });
    const limiter = new MemoryRateLimiter(() => this.clock.now().getTime());
    this.store = new PostgresTypedArtifacts(database);
    this.produceArtifact = new ProduceTypedArtifact(
      this.access,
      database,
      this.store,
      new AjvPayloadCheck(),
      links,
      limiter,
      this.flags,
      names,
      this.outbox,
      this.audit,
      this.live,
      this.ids,
      this.clock,
    );
    this.deleteArtifact = new DeleteTypedArtifact(
      this.access,
      database,
      this.store,
      this.outbox,
      this.audit,
      this.live,
    );
    const reader = new ChartReader(database);
    this.list = new ListTypedArtifacts(this.access, database, links);
    this.get = new GetTypedArtifact(this.access, database, links);
    this.charts = new ListCharts(this.access, database, links);
    this.threads = new ListThreads(this.access, database);
    this.chart = new GetChart(this.access, reader, new NamedPeople(), database, links);
    this.file = new GetChartFile(this.access, reader, new SvgChartRenderer(), new DrawnPictures());
  }

  /** An agent of a person, by default of the owner. */
  agent(personId = this.ownerId): ConnectionActor {
    return connectionActor(this.ids.next(), personId, this.projectId);
  }

  person(personId = this.ownerId): PersonActor {
    return personActor(personId);
  }

  /** Stores one; a line chart of the conversation `talk` unless told otherwise. */
  produce(
    given: Partial<ProduceTypedArtifactInput> = {},
    actor = this.agent(),
  ): Promise<ProducedTypedArtifact> {
    const payload = 'payload' in given ? given.payload : LINE;
    return this.produceArtifact.execute(actor, {
      projectId: this.projectId,
      conversation: 'talk',
      type: 'line_chart',
      payloadText: JSON.stringify(payload) ?? '',
      ...given,
      payload,
    });
  }
}
