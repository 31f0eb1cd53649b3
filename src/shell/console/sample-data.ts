import type { Type } from '@nestjs/common';
import type { ConsoleActor, PersonActor } from '#libs/kernel/actor.js';
import { CreateArtifact } from '#src/artifacts/library/application/commands/create-artifact.js';
import { CreateCard } from '#src/board/cards/application/commands/create-card.js';
import { ListColumns } from '#src/board/cards/application/queries/list-columns.js';
import { AddComment } from '#src/documents/application/commands/add-comment.js';
import { CreateDocument } from '#src/documents/application/commands/create-document.js';
import { ReviseDocument } from '#src/documents/application/commands/revise-document.js';
import { SubmitVerdict } from '#src/documents/application/commands/submit-verdict.js';
import { GetReviewPage } from '#src/documents/application/queries/get-review-page.js';
import { CreateAdmin } from '#src/identity/application/commands/create-admin.js';
import { SetFlag } from '#src/platform/application/commands/set-flag.js';
import { CreateProject } from '#src/projects/application/commands/create-project.js';
import { ListProjects } from '#src/projects/application/queries/list-projects.js';
import {
  APPROVED_PLAN,
  CARDS,
  NOTE_OF_CHANGES,
  PLAN_FIRST,
  PLAN_SECOND,
  PROJECT,
  PROTOTYPE,
  REMARKS,
  SUGGESTION,
} from './sample-texts.js';

export interface SampleData {
  readonly email: string;
  /** Of an account that was made for it; null when the account was there. */
  readonly madePassword: string | null;
  /** False when the sample project was there already, and nothing was changed. */
  readonly made: boolean;
  readonly projectId: string;
}

/**
 * Sample data for trying things out: a project with a plan under review, an approved one, cards and a prototype. Made
 * through the same use cases as everything else, so it always fits this release. Once for each account.
 */
export class CreateSampleData {
  /** `get` gives the use cases of a started product. */
  constructor(private readonly get: <P>(part: Type<P>) => P) {}

  async execute(console: ConsoleActor, { email }: { readonly email: string }): Promise<SampleData> {
    const { personId, madePassword } = await this.get(CreateAdmin).execute(console, { email });
    const owner: PersonActor = { kind: 'person', personId, sessionId: 'console', isAdmin: true };
    const known = (await this.get(ListProjects).execute(owner)).find(
      ({ name, role }) => name === PROJECT.name && role === 'owner',
    );
    if (known) return { email, madePassword, made: false, projectId: known.id };
    await this.get(SetFlag).execute(console, { name: 'artifacts.enabled', value: true });
    const { id: projectId } = await this.get(CreateProject).execute(owner, PROJECT);
    const planId = await this.planUnderReview(owner, projectId);
    await this.approvedPlan(owner, projectId);
    const { artifactId } = await this.get(CreateArtifact).execute(owner, {
      projectId,
      type: 'import',
      ...PROTOTYPE,
    });
    await this.cards(owner, projectId, planId, artifactId);
    return { email, madePassword, made: true, projectId };
  }

  private async planUnderReview(owner: PersonActor, projectId: string): Promise<string> {
    const { documentId } = await this.get(CreateDocument).execute(owner, {
      projectId,
      title: 'Guest checkout',
      markdown: PLAN_FIRST,
      tags: ['plan', 'checkout'],
    });
    await this.remark(owner, projectId, documentId);
    await this.get(SubmitVerdict).execute(owner, {
      projectId,
      documentId,
      version: 1,
      verdict: 'changes-requested',
      note: NOTE_OF_CHANGES,
    });
    await this.get(ReviseDocument).execute(owner, {
      projectId,
      documentId,
      markdown: PLAN_SECOND,
      description: 'How success is measured, and the end of the flag.',
    });
    return documentId;
  }

  private async remark(owner: PersonActor, projectId: string, documentId: string): Promise<void> {
    const { version } = await this.get(GetReviewPage).execute(owner, { projectId, documentId });
    for (const { quote, ...rest } of [...REMARKS, SUGGESTION]) {
      const anchor = { quote, start: version.plainText.indexOf(quote) };
      await this.get(AddComment).execute(owner, { projectId, documentId, version: 1, anchor, ...rest });
    }
  }

  private async approvedPlan(owner: PersonActor, projectId: string): Promise<void> {
    const { documentId } = await this.get(CreateDocument).execute(owner, {
      projectId,
      title: 'Search that forgives typing mistakes',
      markdown: APPROVED_PLAN,
      tags: ['plan'],
    });
    await this.get(SubmitVerdict).execute(owner, { projectId, documentId, version: 1, verdict: 'approved' });
  }

  /** Spread over the columns of the board, whatever its template calls them. */
  private async cards(
    owner: PersonActor,
    projectId: string,
    planId: string,
    artifactId: string,
  ): Promise<void> {
    const { columns, defaultType } = await this.get(ListColumns).execute(owner, { projectId });
    const step = (columns.length - 1) / (CARDS.length - 1);
    for (const [index, { title, body }] of CARDS.entries()) {
      await this.get(CreateCard).execute(owner, {
        projectId,
        title,
        body,
        type: defaultType,
        status: columns[Math.round(index * step)]!.slug,
        ...(index === 0 ? { documentIds: [planId], artifactIds: [artifactId] } : {}),
      });
    }
  }
}
