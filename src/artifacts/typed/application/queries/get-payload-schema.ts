import { Injectable } from '@nestjs/common';
import { notFound } from '#libs/kernel/errors.js';
import { isTypedArtifactType } from '../../domain/payload.js';
import { type JsonSchema, payloadSchema } from '../../domain/payload-schemas.js';
import { TypedLinks } from '../ports/typed-links.js';

/** The JSON Schema of a type, for whoever writes payloads: the same for everybody. */
@Injectable()
export class GetPayloadSchema {
  constructor(private readonly links: TypedLinks) {}

  /** @throws DomainError `not-found`. */
  execute(type: string): JsonSchema {
    if (!isTypedArtifactType(type)) throw notFound('Schema');
    return payloadSchema(type, this.links.schema(type));
  }
}
