import { Controller, Get, Header, Param, UseGuards } from '@nestjs/common';
import { FlagGuard, RequireFlag } from '#libs/http/flag.guard.js';
import { GetPayloadSchema } from '../../application/queries/get-payload-schema.js';

/** Schemas of payloads, named by refusals: the same for everybody, so nobody has to sign in. */
@Controller('schemas/typed-artifacts')
@UseGuards(FlagGuard)
@RequireFlag('artifacts.enabled', 'artifacts.typed.enabled')
export class PayloadSchemasController {
  constructor(private readonly getSchema: GetPayloadSchema) {}

  @Get(':type.json')
  @Header('Content-Type', 'application/schema+json; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=300')
  schema(@Param('type') type: string) {
    return this.getSchema.execute(type);
  }
}
