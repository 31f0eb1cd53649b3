import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { GetStatus } from '#src/artifacts/generation/application/queries/get-status.js';
import { artifactIdOf } from '#src/artifacts/library/application/named-artifact.js';
import { yesNo } from './arguments.js';
import { bySessionId } from './artifact-argument.js';
import { type ToolDefinition, ToolSource, tool } from './tool-definition.js';

/** Tools about artifacts that are being generated. */
@Injectable()
export class ArtifactGenerationTools extends ToolSource {
  override readonly tools: readonly ToolDefinition[];

  constructor(status: GetStatus) {
    super();
    this.tools = [
      tool({
        name: 'artifact_status',
        aliases: ['artifact-status'],
        title: 'Status of artifact',
        description:
          'Tells whether an artifact is generating, ready or failed, with progress, error and notes. With wait true the call returns when it is ready or failed, or after 45 seconds: call again until it is. Returns the addresses to show to the person. For files and versions use artifact_get.',
        level: 'read',
        flags: ['artifacts.enabled', 'artifacts.create.enabled'],
        reasoning: true,
        refusals: 'coded',
        failure: 'The status could not be read. The error has been logged.',
        secondNames: bySessionId.second,
        input: z.strictObject({
          ...bySessionId.names,
          wait: yesNo('Wait until it is ready or failed', false).optional(),
        }),
        reportsProgress: true,
        handle: ({ actor, projectId, gone, progress }, { wait, ...named }) =>
          status.execute(actor, {
            projectId,
            artifactId: artifactIdOf(named),
            wait,
            signal: gone,
            onProgress: progress,
          }),
      }),
    ];
  }
}
