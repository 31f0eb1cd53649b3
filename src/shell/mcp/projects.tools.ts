import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Configuration } from '#libs/configuration/configuration.js';
import { SetProjectOrigins } from '#src/projects/application/commands/set-project-origins.js';
import { UpdateProject } from '#src/projects/application/commands/update-project.js';
import { GetProjectSettings } from '#src/projects/application/queries/get-project-settings.js';
import { list, text } from './arguments.js';
import { type ToolDefinition, ToolSource, tool } from './tool-definition.js';

interface CurrentProject {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly domain: string | null;
  readonly searchLanguage: string;
}

/** A setting that may stay away; null is refused with what to send in its place. */
function setting(description: string, maxLength?: number) {
  return z
    .string({
      error: ({ input }) =>
        input === null ? 'omit it to keep the value, send an empty string to clear it' : 'must be a string.',
    })
    .meta({ description, maxLength })
    .optional();
}

/** Tools of the project itself. */
@Injectable()
export class ProjectTools extends ToolSource {
  override readonly tools: readonly ToolDefinition[];

  constructor(
    private readonly configuration: Configuration,
    settings: GetProjectSettings,
    update: UpdateProject,
    setOrigins: SetProjectOrigins,
  ) {
    super();
    this.tools = [
      tool({
        name: 'project_current',
        title: 'Current project',
        description:
          'Says which project this connection acts on: id, slug, name, description, domain, search language and address. Call it first. Every other tool works on this project; none takes a project id.',
        level: 'read',
        flags: [],
        input: z.strictObject({}),
        handle: async ({ actor, projectId }) => this.shown(await settings.execute(actor, projectId)),
      }),
      tool({
        name: 'project_update',
        title: 'Update project settings',
        description:
          'Changes name, description, domain or search language of the project. Omitted arguments keep their value; an empty description or domain clears it. A new name gives a new slug; rule files that name the old one stop matching. Needs the maintainer role. Returns the project, changed field names and slugNote. For site origins use project_origins_set.',
        level: 'administer',
        flags: [],
        idempotent: true,
        checksArguments: true,
        refusesNull: true,
        input: z.strictObject({
          name: setting('New name, one line', 100),
          description: setting('What the project is about, plain text', 500),
          domain: setting('Host name such as example.com'),
          searchLanguage: setting('Text search language of documents written from now on, such as english'),
        }),
        handle: async ({ actor, projectId }, changes) => {
          const { project, changed, slugNote } = await update.execute(actor, { projectId, changes });
          return { ...this.shown(project), changed, slugNote };
        },
      }),
      tool({
        name: 'project_origins_set',
        title: 'Set allowed site origins',
        description:
          'Replaces the list of web origins that may embed the review widget of this project. Widgets on removed origins stop at once. One bad entry refuses the call and every bad one is named. Needs the maintainer role. Returns the stored list and whether it changed. Other settings: project_update.',
        level: 'administer',
        flags: [],
        idempotent: true,
        checksArguments: true,
        input: z.strictObject({
          origins: list(
            text('Origin such as https://staging.example.com or https://*.example.com', { maxLength: 255 }),
            {
              description: 'The whole new list; [] clears it',
              maxItems: 50,
            },
          ),
        }),
        handle: async ({ actor, projectId }, { origins }) => {
          const result = await setOrigins.execute(actor, { projectId, origins });
          return { origins: result.origins, changed: result.changed };
        },
      }),
    ];
  }

  private shown({ id, slug, name, description, domain, searchLanguage }: CurrentProject) {
    return {
      id,
      slug,
      name,
      description: description === '' ? null : description,
      domain,
      searchLanguage,
      url: this.configuration.url(`/projects/${id}`),
    };
  }
}
