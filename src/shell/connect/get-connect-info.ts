import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import {
  type ConnectedMachine,
  ConnectionDirectory,
} from '#src/identity/application/ports/connection-directory.js';
import { ToolRegistry } from '../mcp/tool-registry.js';
import { ConnectGuide, type OtherWay } from './connect-guide.js';

export interface ConnectInfo {
  readonly initCommand: string;
  readonly setupPrompt: string;
  readonly otherWays: readonly OtherWay[];
  /** Those that the flags let through, with one line each. */
  readonly tools: readonly { readonly name: string; readonly title: string; readonly description: string }[];
}

/** What the Connect page of a project shows. Nothing of it is a secret. */
@Injectable()
export class GetConnectInfo {
  constructor(
    private readonly access: ProjectAccess,
    private readonly connections: ConnectionDirectory,
    private readonly registry: ToolRegistry,
    private readonly guide: ConnectGuide,
  ) {}

  /** @throws DomainError `not-found`. */
  async execute(actor: Actor, projectId: string): Promise<ConnectInfo> {
    await this.access.require(actor, projectId, 'read');
    return {
      initCommand: this.guide.command,
      setupPrompt: this.guide.setupPrompt(projectId),
      otherWays: this.guide.otherWays(projectId),
      tools: this.registry.list().tools.map(({ name, title, description }) => ({
        name,
        title,
        description: firstSentence(description),
      })),
    };
  }

  /** Sign-ins of the asking person that may act on the project, last seen first. */
  async machines(actor: Actor, projectId: string): Promise<ConnectedMachine[]> {
    await this.access.require(actor, projectId, 'read');
    const personId = personIdOf(actor);
    return personId === null ? [] : this.connections.ofPerson(personId, projectId);
  }
}

function firstSentence(text: string): string {
  return /^.*?[.](?=\s|$)/s.exec(text)?.[0] ?? text;
}
