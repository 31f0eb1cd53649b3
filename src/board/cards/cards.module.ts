import { Module, type OnModuleInit } from '@nestjs/common';
import { EventListeners } from '#libs/kernel/ports/event-listeners.js';
import { LibraryHooks } from '#src/artifacts/library/application/ports/library-hooks.js';
import { LibraryModule } from '#src/artifacts/library/library.module.js';
import { DocumentHooks } from '#src/documents/application/ports/design-review-gate.js';
import { DocumentsModule } from '#src/documents/documents.module.js';
import { IdentityModule } from '#src/identity/identity.module.js';
import { ProjectHooks } from '#src/projects/application/ports/project-hooks.js';
import { BoardOnFirstUse } from '../workflow/application/ports/board-on-first-use.js';
import { WorkflowModule } from '../workflow/workflow.module.js';
import { BoardDoor } from './application/board-door.js';
import { BoardMaker } from './application/board-maker.js';
import { CardChecks } from './application/card-checks.js';
import { CardEditor } from './application/card-editor.js';
import { CardMover } from './application/card-mover.js';
import { CardStates } from './application/card-states.js';
import { ChildQuestion } from './application/child-question.js';
import { ColumnChanges } from './application/column-changes.js';
import { CloseCardRun } from './application/commands/close-card-run.js';
import { CloseStaleRuns } from './application/commands/close-stale-runs.js';
import { ConfigureColumn } from './application/commands/configure-column.js';
import { CreateCard } from './application/commands/create-card.js';
import { CreateColumn } from './application/commands/create-column.js';
import { DeleteCard } from './application/commands/delete-card.js';
import { DeleteColumn } from './application/commands/delete-column.js';
import { HoldCard } from './application/commands/hold-card.js';
import { MoveCard } from './application/commands/move-card.js';
import { MoveCards } from './application/commands/move-cards.js';
import { NoteAgentSession } from './application/commands/note-agent-session.js';
import { OpenCardRun } from './application/commands/open-card-run.js';
import { ReleaseCard } from './application/commands/release-card.js';
import { ReleaseCardPause } from './application/commands/release-card-pause.js';
import { ReorderColumns } from './application/commands/reorder-columns.js';
import { ReplaceCardLinks } from './application/commands/replace-card-links.js';
import { SetCardParent } from './application/commands/set-card-parent.js';
import { SetDocumentCards } from './application/commands/set-document-cards.js';
import { SetLaneEnabled } from './application/commands/set-lane-enabled.js';
import { UpdateBoardSettings } from './application/commands/update-board-settings.js';
import { UpdateCard } from './application/commands/update-card.js';
import { DesignReviewDoor } from './application/design-review-door.js';
import { Boards } from './application/ports/boards.js';
import { CardConnections } from './application/ports/card-connections.js';
import { CardFeedback, NoFeedback } from './application/ports/card-feedback.js';
import { CardMarks } from './application/ports/card-marks.js';
import { CardWork, NoCardWork } from './application/ports/card-work.js';
import { Cards } from './application/ports/cards.js';
import { InteractiveRuns } from './application/ports/interactive-runs.js';
import { NoPullRequestStates, PullRequestStates } from './application/ports/pull-request-states.js';
import { BoardCells } from './application/queries/board-cells.js';
import { BoardView } from './application/queries/board-view.js';
import { CardBodies } from './application/queries/card-bodies.js';
import { CardReader } from './application/queries/card-reader.js';
import { GetBoard } from './application/queries/get-board.js';
import { GetBoardChanges } from './application/queries/get-board-changes.js';
import { GetCard } from './application/queries/get-card.js';
import { GetCardForBridge } from './application/queries/get-card-for-bridge.js';
import { GetCardHistory } from './application/queries/get-card-history.js';
import { GetTiles } from './application/queries/get-tiles.js';
import { ListBacklog } from './application/queries/list-backlog.js';
import { ListCards } from './application/queries/list-cards.js';
import { ListCardsOfDocument } from './application/queries/list-cards-of-document.js';
import { ListColumns } from './application/queries/list-columns.js';
import { ListFinishedCards } from './application/queries/list-finished-cards.js';
import { ListHeldCards } from './application/queries/list-held-cards.js';
import { ListOpenCards } from './application/queries/list-open-cards.js';
import { ListRows } from './application/queries/list-rows.js';
import { SearchCards } from './application/queries/search-cards.js';
import { SuggestCards } from './application/queries/suggest-cards.js';
import { SummaryReader } from './application/queries/summary-reader.js';
import { TileReader } from './application/queries/tile-reader.js';
import { WrittenCardAnswers } from './application/queries/written-card-answers.js';
import { WhenArtifactCardsChanged } from './application/reactions/when-artifact-cards-changed.js';
import { WhenDocumentChanged } from './application/reactions/when-document-changed.js';
import { WhenPersonDeleted } from './application/reactions/when-person-deleted.js';
import { WhenProjectDeleted } from './application/reactions/when-project-deleted.js';
import { ArtifactCardFacts } from './infrastructure/artifact-card-facts.js';
import { BoardInitializer } from './infrastructure/board-initializer.js';
import { BoardUpkeep } from './infrastructure/board-upkeep.js';
import { CardCounters } from './infrastructure/card-counters.js';
import { CardsExport } from './infrastructure/cards-export.js';
import { CardsSearch } from './infrastructure/cards-search.js';
import { PostgresBoards } from './infrastructure/postgres-boards.js';
import { PostgresCardConnections } from './infrastructure/postgres-card-connections.js';
import { PostgresCardMarks } from './infrastructure/postgres-card-marks.js';
import { PostgresCards } from './infrastructure/postgres-cards.js';
import { PostgresInteractiveRuns } from './infrastructure/postgres-interactive-runs.js';
import { BoardController } from './interface/http/board.controller.js';
import { CardHoldsController } from './interface/http/card-holds.controller.js';
import { CardMarksController } from './interface/http/card-marks.controller.js';
import { CardShownController } from './interface/http/card-shown.controller.js';
import { CardsController } from './interface/http/cards.controller.js';
import { ColumnsController } from './interface/http/columns.controller.js';

const useCases = [
  CreateCard,
  UpdateCard,
  MoveCard,
  MoveCards,
  DeleteCard,
  SetCardParent,
  SetLaneEnabled,
  ReplaceCardLinks,
  SetDocumentCards,
  HoldCard,
  ReleaseCard,
  ReleaseCardPause,
  OpenCardRun,
  NoteAgentSession,
  CloseCardRun,
  CloseStaleRuns,
  CreateColumn,
  ConfigureColumn,
  ReorderColumns,
  DeleteColumn,
  UpdateBoardSettings,
  GetBoard,
  GetTiles,
  GetBoardChanges,
  GetCard,
  GetCardForBridge,
  GetCardHistory,
  ListBacklog,
  ListOpenCards,
  ListFinishedCards,
  ListCards,
  ListCardsOfDocument,
  ListColumns,
  ListHeldCards,
  SearchCards,
  SuggestCards,
];

/** Cards, columns and what is on them. What other contexts will say about cards is bound to "none yet" here. */
@Module({
  imports: [IdentityModule, DocumentsModule, LibraryModule, WorkflowModule],
  // Addresses with a fixed word stand before those with an id in the same place.
  controllers: [
    BoardController,
    ColumnsController,
    CardsController,
    CardMarksController,
    CardShownController,
    CardHoldsController,
  ],
  providers: [
    ...useCases,
    BoardDoor,
    BoardMaker,
    DesignReviewDoor,
    CardChecks,
    CardEditor,
    CardMover,
    CardStates,
    ChildQuestion,
    ColumnChanges,
    BoardCells,
    BoardView,
    CardReader,
    CardBodies,
    ListRows,
    SummaryReader,
    TileReader,
    WrittenCardAnswers,
    WhenArtifactCardsChanged,
    WhenDocumentChanged,
    WhenPersonDeleted,
    WhenProjectDeleted,
    ArtifactCardFacts,
    BoardInitializer,
    BoardUpkeep,
    CardCounters,
    CardsExport,
    CardsSearch,
    { provide: Boards, useClass: PostgresBoards },
    { provide: Cards, useClass: PostgresCards },
    { provide: CardConnections, useClass: PostgresCardConnections },
    { provide: CardMarks, useClass: PostgresCardMarks },
    { provide: InteractiveRuns, useClass: PostgresInteractiveRuns },
    { provide: CardFeedback, useClass: NoFeedback },
    { provide: CardWork, useClass: NoCardWork },
    { provide: PullRequestStates, useClass: NoPullRequestStates },
  ],
  exports: useCases,
})
export class CardsModule implements OnModuleInit {
  constructor(
    private readonly listeners: EventListeners,
    private readonly hooks: ProjectHooks,
    private readonly whenProjectDeleted: WhenProjectDeleted,
    private readonly whenPersonDeleted: WhenPersonDeleted,
    private readonly whenDocumentChanged: WhenDocumentChanged,
    private readonly whenArtifactCardsChanged: WhenArtifactCardsChanged,
    private readonly initializer: BoardInitializer,
    private readonly maker: BoardMaker,
    private readonly firstUse: BoardOnFirstUse,
    private readonly counters: CardCounters,
    private readonly documents: DocumentHooks,
    private readonly designReviews: DesignReviewDoor,
    private readonly library: LibraryHooks,
    private readonly artifactCards: ArtifactCardFacts,
  ) {}

  onModuleInit(): void {
    this.listeners.register(this.whenProjectDeleted);
    this.listeners.register(this.whenPersonDeleted);
    this.listeners.register(this.whenDocumentChanged);
    this.listeners.register(this.whenArtifactCardsChanged);
    this.hooks.addInitializer(this.initializer);
    this.firstUse.serve(this.maker);
    this.hooks.addCounters(this.counters);
    this.documents.serveDesignReviewGate(this.designReviews);
    this.library.serveCardFacts(this.artifactCards);
  }
}
