import { Module, type OnModuleInit } from '@nestjs/common';
import { EventListeners } from '#libs/kernel/ports/event-listeners.js';
import { IdentityModule } from '#src/identity/identity.module.js';
import { DeleteTypedArtifact } from './application/commands/delete-typed-artifact.js';
import { ProduceTypedArtifact } from './application/commands/produce-typed-artifact.js';
import { DrawnPictures } from './application/drawn-pictures.js';
import { ChartRenderer } from './application/ports/chart-renderer.js';
import { PayloadCheck } from './application/ports/payload-check.js';
import { TypedArtifacts } from './application/ports/typed-artifacts.js';
import { TypedLinks } from './application/ports/typed-links.js';
import { ChartReader } from './application/queries/chart-reader.js';
import { GetChart } from './application/queries/get-chart.js';
import { GetChartFile } from './application/queries/get-chart-file.js';
import { GetPayloadSchema } from './application/queries/get-payload-schema.js';
import { GetTypedArtifact } from './application/queries/get-typed-artifact.js';
import { ListCharts } from './application/queries/list-charts.js';
import { ListThreads } from './application/queries/list-threads.js';
import { ListTypedArtifacts } from './application/queries/list-typed-artifacts.js';
import { WhenPersonDeleted } from './application/reactions/when-person-deleted.js';
import { WhenProjectDeleted } from './application/reactions/when-project-deleted.js';
import { AjvPayloadCheck } from './infrastructure/ajv-payload-check.js';
import { ConfiguredTypedLinks } from './infrastructure/configured-typed-links.js';
import { PostgresTypedArtifacts } from './infrastructure/postgres-typed-artifacts.js';
import { SvgChartRenderer } from './infrastructure/svg/svg-chart-renderer.js';
import { TypedExport } from './infrastructure/typed-export.js';
import { ChartsController } from './interface/http/charts.controller.js';
import { PayloadSchemasController } from './interface/http/payload-schemas.controller.js';

const useCases = [
  ProduceTypedArtifact,
  DeleteTypedArtifact,
  ListTypedArtifacts,
  GetTypedArtifact,
  ListThreads,
  ListCharts,
  GetChart,
  GetChartFile,
  GetPayloadSchema,
];

/** Charts and tables of conversations. */
@Module({
  imports: [IdentityModule],
  controllers: [ChartsController, PayloadSchemasController],
  providers: [
    ...useCases,
    ChartReader,
    DrawnPictures,
    WhenProjectDeleted,
    WhenPersonDeleted,
    TypedExport,
    { provide: TypedArtifacts, useClass: PostgresTypedArtifacts },
    { provide: TypedLinks, useClass: ConfiguredTypedLinks },
    { provide: PayloadCheck, useClass: AjvPayloadCheck },
    { provide: ChartRenderer, useClass: SvgChartRenderer },
  ],
  exports: useCases,
})
export class TypedModule implements OnModuleInit {
  constructor(
    private readonly listeners: EventListeners,
    private readonly whenProjectDeleted: WhenProjectDeleted,
    private readonly whenPersonDeleted: WhenPersonDeleted,
  ) {}

  onModuleInit(): void {
    this.listeners.register(this.whenProjectDeleted);
    this.listeners.register(this.whenPersonDeleted);
  }
}
