import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { artifactIdOf } from '#src/artifacts/library/application/named-artifact.js';
import { PublishArtifact } from '#src/artifacts/preview/application/commands/publish-artifact.js';
import { UnpublishArtifact } from '#src/artifacts/preview/application/commands/unpublish-artifact.js';
import { oneOf, whole } from './arguments.js';
import { bySessionId } from './artifact-argument.js';
import { type ToolDefinition, ToolSource, tool } from './tool-definition.js';

const FLAGS = ['artifacts.enabled', 'artifacts.publish.enabled'];

/** Tools that publish apps as live pages. */
@Injectable()
export class ArtifactPublishingTools extends ToolSource {
  override readonly tools: readonly ToolDefinition[];

  constructor(publish: PublishArtifact, unpublish: UnpublishArtifact) {
    super();
    this.tools = [
      tool({
        name: 'artifact_publish',
        aliases: ['artifact-publish'],
        title: 'Publish an app',
        description:
          'Publishes one version of an app as a live page that anybody with the address can open without sign-in. Later versions do not change it: publish again to move it, the address stays. Waits up to 45 s for a build. Returns liveUrl, subdomain, version. To show work to people of the project, give them previewUrl of artifact_get instead.',
        level: 'contribute',
        flags: FLAGS,
        idempotent: true,
        openWorld: true,
        reasoning: true,
        refusals: 'coded',
        secondNames: bySessionId.second,
        input: z.strictObject({
          ...bySessionId.names,
          mode: oneOf('Kind of page', ['webapp']).optional(),
          version: whole('Version to pin; default the latest', { minimum: 1 }).optional(),
        }),
        handle: async ({ actor, projectId }, { mode, version, ...named }) => ({
          success: true,
          ...(await publish.execute(actor, { projectId, artifactId: artifactIdOf(named), mode, version })),
        }),
      }),
      tool({
        name: 'artifact_unpublish',
        aliases: ['artifact-unpublish'],
        title: 'Take a live page down',
        description:
          'Takes the live page of an app down: its address answers 404 and stays reserved for it, for the next artifact_publish. Files and previews stay. Repeating it is fine.',
        level: 'contribute',
        flags: FLAGS,
        idempotent: true,
        openWorld: true,
        reasoning: true,
        refusals: 'coded',
        secondNames: bySessionId.second,
        input: z.strictObject(bySessionId.names),
        handle: async ({ actor, projectId }, named) => {
          const changed = await unpublish.execute(actor, { projectId, artifactId: artifactIdOf(named) });
          return {
            success: true,
            message: changed ? 'The live page is down.' : 'The artifact was not published.',
          };
        },
      }),
    ];
  }
}
