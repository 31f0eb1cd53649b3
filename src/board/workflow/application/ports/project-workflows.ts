import type { ProjectWorkflow } from '../../domain/project-workflow.js';

/** The columns of the slots of one project; an empty slot has null. */
export type SlotColumns = ReadonlyMap<string, string | null>;

/** Which projects follow which template, and where its slots are on their boards. */
export abstract class ProjectWorkflows {
  /** Null for a project without a template. */
  abstract find(projectId: string): Promise<ProjectWorkflow | null>;
  /** The same, locked up to the end of the transaction. */
  abstract findLocked(projectId: string): Promise<ProjectWorkflow | null>;
  abstract slotColumns(projectId: string): Promise<SlotColumns>;
  /** Adds a binding with the columns of its slots. */
  abstract add(workflow: ProjectWorkflow, slots: SlotColumns): Promise<void>;
  /** Stores switch, values and template; slots that the template does not have go, new ones come without a column. */
  abstract save(workflow: ProjectWorkflow): Promise<void>;
  /** @throws DomainError `taken` when the column is the place of another slot. */
  abstract linkSlot(projectId: string, slot: string, columnId: string): Promise<void>;
  /** Empties the slot of a column. @returns the slot, or null when the column was no place. */
  abstract emptySlotOf(projectId: string, columnId: string): Promise<string | null>;
  /** Projects bound to an older version of this template than `version`, at most `limit`. */
  abstract boundBelow(templateKey: string, version: number, limit: number): Promise<string[]>;
}
