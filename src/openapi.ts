import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
// The library exports its storage for such readers under this path alone.
// @ts-expect-error: the path has no types of its own
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { validationMetadatasToSchemas } from 'class-validator-jsonschema';
import { version } from '#libs/configuration/version.js';

/** The HTTP API as an OpenAPI document, generated from the controllers. `docs/openapi.json` is its snapshot. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Loupe')
    .setDescription(
      'HTTP API of a Loupe instance. The web app uses it with the session cookie and the header Loupe-Csrf-Token; ' +
        'routes for programs take a bearer token with the scope that they name.',
    )
    .setVersion(version)
    .addCookieAuth('loupe_session')
    .addBearerAuth({ type: 'http', scheme: 'bearer' })
    .build();
  const document = SwaggerModule.createDocument(app, builder);
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/api/'));
  // The rules of the DTOs stand in their validators; Swagger alone sees only the names of the classes.
  const bodies = validationMetadatasToSchemas({
    refPointerPrefix: '#/components/schemas/',
    classTransformerMetadataStorage: defaultMetadataStorage,
  });
  const named = Object.keys({ ...document.components?.schemas, ...bodies }).sort();
  // Both libraries speak of the same OpenAPI objects, each in types of its own.
  const schemas = Object.fromEntries(
    named.map((name) => [name, { additionalProperties: false, ...bodies[name] }]),
  ) as NonNullable<OpenAPIObject['components']>['schemas'];
  return {
    ...document,
    components: { ...document.components, schemas },
    paths: Object.fromEntries(paths.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
