import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import type { Given } from '../../domain/texts.js';
import { ChangeDocument } from './change-document.js';

/** Replaces the references of a document; none clears them. @throws InvalidInput; DomainError `not-found`. */
@Injectable()
export class SetDocumentReferences {
  constructor(private readonly change: ChangeDocument) {}

  async execute(
    actor: Actor,
    input: {
      readonly projectId: string;
      readonly documentId?: Given<string>;
      readonly references?: Given<readonly string[]>;
    },
  ): Promise<{ readonly documentId: string; readonly references: readonly string[] }> {
    const { projectId, documentId } = input;
    const after = await this.change.execute(actor, {
      projectId,
      documentId,
      references: input.references ?? [],
    });
    return { documentId: after.documentId, references: after.references };
  }
}
