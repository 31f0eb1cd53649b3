import { Module, type OnModuleInit } from '@nestjs/common';
import { EventListeners } from '#libs/kernel/ports/event-listeners.js';
import { ProjectHooks } from '#src/projects/application/ports/project-hooks.js';
import { IdentityModule } from '../identity/identity.module.js';
import { Carrying } from './application/carrying.js';
import { AddComment } from './application/commands/add-comment.js';
import { AnswerAgentReview } from './application/commands/answer-agent-review.js';
import { ArchiveDocument } from './application/commands/archive-document.js';
import { ChangeDocument } from './application/commands/change-document.js';
import { CreateDocument } from './application/commands/create-document.js';
import { DeleteThread } from './application/commands/delete-thread.js';
import { EditComment } from './application/commands/edit-comment.js';
import { MarkCommentsAddressed } from './application/commands/mark-comments-addressed.js';
import { MarkDocumentRead } from './application/commands/mark-document-read.js';
import { PublishDocument } from './application/commands/publish-document.js';
import { PurgeThread } from './application/commands/purge-thread.js';
import { ReattachThread } from './application/commands/reattach-thread.js';
import { RenameDocument } from './application/commands/rename-document.js';
import { RenameSeries } from './application/commands/rename-series.js';
import { ReopenThread } from './application/commands/reopen-thread.js';
import { ReplyToComment } from './application/commands/reply-to-comment.js';
import { RerenderDocuments } from './application/commands/rerender-documents.js';
import { ResolveThread } from './application/commands/resolve-thread.js';
import { RestoreThread } from './application/commands/restore-thread.js';
import { ReviseDocument } from './application/commands/revise-document.js';
import { SaveDecisionAnswer } from './application/commands/save-decision-answer.js';
import { SetDocumentHighlights } from './application/commands/set-document-highlights.js';
import { SetDocumentReferences } from './application/commands/set-document-references.js';
import { SetDocumentSeries } from './application/commands/set-document-series.js';
import { SetDocumentTags } from './application/commands/set-document-tags.js';
import { SetSectionApproval } from './application/commands/set-section-approval.js';
import { SubmitAgentReview } from './application/commands/submit-agent-review.js';
import { SubmitVerdict } from './application/commands/submit-verdict.js';
import { UnarchiveDocument } from './application/commands/unarchive-document.js';
import { WithdrawVerdict } from './application/commands/withdraw-verdict.js';
import { CommentDoor } from './application/comment-door.js';
import { DesignReviewDoor } from './application/design-review-door.js';
import { DocumentNews } from './application/document-news.js';
import { FilingByUseCases } from './application/filing-by-use-cases.js';
import { Languages } from './application/languages.js';
import { AgentReviewRepository } from './application/ports/agent-review-repository.js';
import { DocumentHooks } from './application/ports/design-review-gate.js';
import { DocumentErasure } from './application/ports/document-erasure.js';
import { DocumentFiling } from './application/ports/document-filing.js';
import { DocumentLookup } from './application/ports/document-lookup.js';
import { DocumentRenderer } from './application/ports/document-renderer.js';
import { DocumentRepository } from './application/ports/document-repository.js';
import { HighlightRepository } from './application/ports/highlight-repository.js';
import { LabelRepository } from './application/ports/label-repository.js';
import { PassageRelocator } from './application/ports/passage-relocator.js';
import { ReviewLinks } from './application/ports/review-links.js';
import { ReviewRepository } from './application/ports/review-repository.js';
import { ReviewVerdicts } from './application/ports/review-verdicts.js';
import { StoredTexts } from './application/ports/stored-texts.js';
import { ThreadRepository } from './application/ports/thread-repository.js';
import { VersionComparer } from './application/ports/version-comparer.js';
import { AgentReviewReader } from './application/queries/agent-review-reader.js';
import { CompareVersions } from './application/queries/compare-versions.js';
import { DocumentListing } from './application/queries/document-listing.js';
import { DocumentReader } from './application/queries/document-reader.js';
import { DocumentWords } from './application/queries/document-words.js';
import { GetCurrentThread } from './application/queries/get-current-thread.js';
import { GetDecision } from './application/queries/get-decision.js';
import { GetDecisionState } from './application/queries/get-decision-state.js';
import { GetDocument } from './application/queries/get-document.js';
import { GetDocumentDetails } from './application/queries/get-document-details.js';
import { GetDownload } from './application/queries/get-download.js';
import { GetReview } from './application/queries/get-review.js';
import { GetReviewPage } from './application/queries/get-review-page.js';
import { GetThread } from './application/queries/get-thread.js';
import { LabelCounts } from './application/queries/label-counts.js';
import { ListDeletedThreads } from './application/queries/list-deleted-threads.js';
import { ListDocuments } from './application/queries/list-documents.js';
import { ListDocumentsPage } from './application/queries/list-documents-page.js';
import { ListSeries } from './application/queries/list-series.js';
import { ListTags } from './application/queries/list-tags.js';
import { ListVersions } from './application/queries/list-versions.js';
import { PreviewMarkdown } from './application/queries/preview-markdown.js';
import { ThreadReader } from './application/queries/thread-reader.js';
import { WhenCardDeleted } from './application/reactions/when-card-deleted.js';
import { WhenPersonDeleted } from './application/reactions/when-person-deleted.js';
import { WhenProjectDeleted } from './application/reactions/when-project-deleted.js';
import { ThreadChanges } from './application/thread-changes.js';
import { VerdictAnswers } from './application/verdict-answers.js';
import { VerdictsByUseCase } from './application/verdicts-by-use-case.js';
import { TreeVersionComparer } from './infrastructure/compare/tree-version-comparer.js';
import { ConfiguredReviewLinks } from './infrastructure/configured-review-links.js';
import { DocumentCounters } from './infrastructure/document-counters.js';
import { DocumentsExport } from './infrastructure/documents-export.js';
import { DocumentsSearch } from './infrastructure/documents-search.js';
import { WorkerDocumentRenderer } from './infrastructure/markdown/worker-document-renderer.js';
import { WorkerPassageRelocator } from './infrastructure/passages/worker-passage-relocator.js';
import { PostgresAgentReviewRepository } from './infrastructure/postgres-agent-review-repository.js';
import { PostgresDocumentErasure } from './infrastructure/postgres-document-erasure.js';
import { PostgresDocumentLookup } from './infrastructure/postgres-document-lookup.js';
import { PostgresDocumentRepository } from './infrastructure/postgres-document-repository.js';
import { PostgresHighlightRepository } from './infrastructure/postgres-highlight-repository.js';
import { PostgresLabelRepository } from './infrastructure/postgres-label-repository.js';
import { PostgresReviewRepository } from './infrastructure/postgres-review-repository.js';
import { PostgresStoredTexts } from './infrastructure/postgres-stored-texts.js';
import { PostgresThreadRepository } from './infrastructure/postgres-thread-repository.js';
import { DocumentsController } from './interface/http/documents.controller.js';
import { ThreadsController } from './interface/http/threads.controller.js';
import { VerdictsController } from './interface/http/verdicts.controller.js';
import { VersionsController } from './interface/http/versions.controller.js';

const useCases = [
  CreateDocument,
  ReviseDocument,
  PublishDocument,
  ArchiveDocument,
  UnarchiveDocument,
  ChangeDocument,
  RenameDocument,
  SetDocumentTags,
  SetDocumentHighlights,
  SetDocumentReferences,
  SetDocumentSeries,
  RenameSeries,
  AddComment,
  ReplyToComment,
  EditComment,
  MarkCommentsAddressed,
  ResolveThread,
  ReopenThread,
  RerenderDocuments,
  DeleteThread,
  RestoreThread,
  PurgeThread,
  ReattachThread,
  SubmitVerdict,
  WithdrawVerdict,
  SaveDecisionAnswer,
  SetSectionApproval,
  SubmitAgentReview,
  AnswerAgentReview,
  MarkDocumentRead,
  ListDocuments,
  ListDocumentsPage,
  GetDocument,
  GetDocumentDetails,
  GetReview,
  GetReviewPage,
  GetThread,
  GetCurrentThread,
  GetDecision,
  GetDecisionState,
  ListVersions,
  CompareVersions,
  ListTags,
  ListSeries,
  ListDeletedThreads,
  GetDownload,
  PreviewMarkdown,
];

/** Documents: versions, threads, verdicts, decisions, and how people and agents work on them. */
@Module({
  imports: [IdentityModule],
  controllers: [DocumentsController, VersionsController, ThreadsController, VerdictsController],
  providers: [
    ...useCases,
    Carrying,
    CommentDoor,
    DesignReviewDoor,
    DocumentHooks,
    DocumentNews,
    Languages,
    VerdictAnswers,
    AgentReviewReader,
    DocumentListing,
    DocumentReader,
    DocumentWords,
    LabelCounts,
    ThreadChanges,
    ThreadReader,
    WhenProjectDeleted,
    WhenPersonDeleted,
    WhenCardDeleted,
    DocumentCounters,
    DocumentsExport,
    DocumentsSearch,
    { provide: AgentReviewRepository, useClass: PostgresAgentReviewRepository },
    { provide: DocumentErasure, useClass: PostgresDocumentErasure },
    { provide: DocumentFiling, useClass: FilingByUseCases },
    { provide: DocumentLookup, useClass: PostgresDocumentLookup },
    { provide: ReviewVerdicts, useClass: VerdictsByUseCase },
    { provide: DocumentRenderer, useClass: WorkerDocumentRenderer },
    { provide: DocumentRepository, useClass: PostgresDocumentRepository },
    { provide: HighlightRepository, useClass: PostgresHighlightRepository },
    { provide: LabelRepository, useClass: PostgresLabelRepository },
    { provide: PassageRelocator, useClass: WorkerPassageRelocator },
    { provide: ReviewLinks, useClass: ConfiguredReviewLinks },
    { provide: ReviewRepository, useClass: PostgresReviewRepository },
    { provide: StoredTexts, useClass: PostgresStoredTexts },
    { provide: ThreadRepository, useClass: PostgresThreadRepository },
    { provide: VersionComparer, useClass: TreeVersionComparer },
  ],
  exports: [...useCases, DocumentHooks, DocumentFiling, DocumentLookup, DocumentRenderer, ReviewVerdicts],
})
export class DocumentsModule implements OnModuleInit {
  constructor(
    private readonly listeners: EventListeners,
    private readonly hooks: ProjectHooks,
    private readonly whenProjectDeleted: WhenProjectDeleted,
    private readonly whenPersonDeleted: WhenPersonDeleted,
    private readonly whenCardDeleted: WhenCardDeleted,
    private readonly counters: DocumentCounters,
  ) {}

  onModuleInit(): void {
    this.listeners.register(this.whenProjectDeleted);
    this.listeners.register(this.whenPersonDeleted);
    this.listeners.register(this.whenCardDeleted);
    this.hooks.addCounters(this.counters);
  }
}
