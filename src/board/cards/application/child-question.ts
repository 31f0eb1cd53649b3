import { Injectable } from '@nestjs/common';
import type { Problems } from '#libs/kernel/errors.js';
import { DocumentLookup } from '#src/documents/application/ports/document-lookup.js';
import type { Column } from '../domain/board.js';
import type { Given } from '../domain/card-texts.js';
import { DOCUMENTS_OF_CARD } from '../domain/limits.js';
import type { BoardChange } from './board-change.js';
import { CardConnections } from './ports/card-connections.js';
import type { CardFacts } from './ports/cards.js';

const TAG = 'tech-design';
const RULE = 'unplanned-child';

export interface ChildOfPlan {
  readonly childDesign: Given<string>;
  readonly parent: CardFacts | null;
  /** Whether the parent comes with this call. */
  readonly joins: boolean;
  readonly columnChosen: boolean;
  /** Where the card would be. */
  readonly column: Column;
  readonly documentIds: readonly string[];
}

export interface PlanOfChild {
  readonly documentIds: readonly string[];
  readonly moveTo: Column | null;
}

/** The child of an epic that is planned already: it takes over the design, or gets one of its own (`board.md` 8.3). */
@Injectable()
export class ChildQuestion {
  constructor(
    private readonly connections: CardConnections,
    private readonly documents: DocumentLookup,
  ) {}

  async settle(problems: Problems, change: BoardChange, child: ChildOfPlan): Promise<PlanOfChild> {
    const { childDesign, parent, column } = child;
    const unchanged = { documentIds: child.documentIds, moveTo: null };
    if (childDesign != null && childDesign !== 'inherit' && childDesign !== 'own') {
      problems.add('childDesign', 'Use inherit or own.');
      return unchanged;
    }
    if (!parent) {
      if (childDesign != null) problems.add('childDesign', 'needs a parent.');
      return unchanged;
    }
    const { workflow, board } = change;
    if (childDesign == null) {
      const early = column.backlog || workflow.slotOfColumn(column.id) === 'next';
      if (!child.joins || !early || !workflow.isOn || !workflow.hasRule(RULE)) return unchanged;
    }
    const ofParent = await this.connections.documentIds(parent.id);
    const facts = await this.documents.byIds(board.projectId, [...ofParent, ...child.documentIds]);
    const designs = ofParent.filter((id) => facts.get(id)?.tags.includes(TAG));
    if (childDesign === 'inherit') {
      if (designs.length === 0) problems.add('childDesign', 'The parent has no tech design to inherit.');
      const documentIds = [...new Set([...child.documentIds, ...designs])];
      if (documentIds.length > DOCUMENTS_OF_CARD)
        problems.add('documentIds', `at most ${DOCUMENTS_OF_CARD} entries.`);
      return { documentIds, moveTo: null };
    }
    if (childDesign === 'own') {
      if (child.columnChosen)
        problems.add('status', 'Leave it out with childDesign own, which moves the card to Tech design.');
      const place = workflow.columnOfSlot(TAG);
      const moveTo = place === null ? null : board.columnById(place);
      if (!moveTo) problems.add('childDesign', 'This board has no column for tech designs. Pass inherit.');
      return { documentIds: child.documentIds, moveTo };
    }
    const planned = designs.some((id) => {
      const design = facts.get(id)!;
      return design.status === 'approved' && !design.archived;
    });
    const ownDesign = child.documentIds.some((id) => facts.get(id)?.tags.includes(TAG));
    if (planned && !ownDesign)
      problems.add(
        'childDesign',
        `Card ${parent.number} has an approved tech design. Pass inherit to link it, or own to give this card its own tech design.`,
      );
    return unchanged;
  }
}
