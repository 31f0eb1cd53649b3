import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import type { Given } from '../../domain/texts.js';
import { ChangeDocument } from './change-document.js';

/** A new title without a new version. @throws InvalidInput; DomainError `not-found`. */
@Injectable()
export class RenameDocument {
  constructor(private readonly change: ChangeDocument) {}

  async execute(
    actor: Actor,
    input: {
      readonly projectId: string;
      readonly documentId?: Given<string>;
      readonly title?: Given<string>;
    },
  ): Promise<{ readonly documentId: string; readonly title: string }> {
    const { projectId, documentId } = input;
    const after = await this.change.execute(actor, { projectId, documentId, title: input.title ?? '' });
    return { documentId: after.documentId, title: after.title };
  }
}
