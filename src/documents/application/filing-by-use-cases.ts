import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { CreateDocument } from './commands/create-document.js';
import { PublishDocument } from './commands/publish-document.js';
import { ReviseDocument } from './commands/revise-document.js';
import {
  type DocumentDecisions,
  DocumentFiling,
  type FiledDocument,
  type FiledRevision,
  type FilingReceipt,
} from './ports/document-filing.js';
import { GetDecisionState } from './queries/get-decision-state.js';

/** Hands filing by other contexts to the use cases. */
@Injectable()
export class FilingByUseCases extends DocumentFiling {
  constructor(
    private readonly createDocument: CreateDocument,
    private readonly reviseDocument: ReviseDocument,
    private readonly publishDocument: PublishDocument,
    private readonly decisionState: GetDecisionState,
  ) {
    super();
  }

  override async create(actor: Actor, { origin, ...document }: FiledDocument): Promise<FilingReceipt> {
    return receipt(await this.createDocument.execute(actor, document, origin));
  }

  override async revise(actor: Actor, revision: FiledRevision): Promise<FilingReceipt> {
    return receipt(await this.reviseDocument.execute(actor, revision));
  }

  override async publish(actor: Actor, projectId: string, documentId: string): Promise<boolean> {
    return (await this.publishDocument.execute(actor, { projectId, documentId })).published;
  }

  override async getDecisionState(
    actor: Actor,
    projectId: string,
    documentId: string,
  ): Promise<DocumentDecisions> {
    return this.decisionState.execute(actor, { projectId, documentId });
  }
}

function receipt({ documentId, reviewUrl, version, status }: FilingReceipt): FilingReceipt {
  return { documentId, reviewUrl, version, status };
}
