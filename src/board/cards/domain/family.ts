import type { Problems } from '#libs/kernel/errors.js';
import { CHILDREN_OF_CARD } from './limits.js';

export interface ParentCandidate {
  readonly number: number;
  /** Whether its type may have children. */
  readonly children: boolean;
  readonly childCount: number;
}

/** May this card become a child of that one? `mayHaveChildren` is about the type that the card will have. */
export function judgeParent(
  problems: Problems,
  parent: ParentCandidate,
  card: { readonly mayHaveChildren: boolean; readonly isChildAlready: boolean },
): void {
  if (!parent.children) problems.add('parentCardId', `Card ${parent.number} cannot have children.`);
  else if (card.mayHaveChildren) problems.add('parentCardId', 'An epic cannot have a parent.');
  else if (!card.isChildAlready && parent.childCount >= CHILDREN_OF_CARD)
    problems.add('parentCardId', `Card ${parent.number} has ${CHILDREN_OF_CARD} children already.`);
}

/** May this card take that type? */
export function judgeType(
  problems: Problems,
  type: { readonly key: string; readonly children: boolean },
  card: { readonly hasParent: boolean; readonly hasChildren: boolean },
): void {
  if (type.children && card.hasParent)
    problems.add('type', `A card with a parent cannot become "${type.key}".`);
  if (!type.children && card.hasChildren)
    problems.add('type', 'A card with children keeps a type that can have children.');
}
