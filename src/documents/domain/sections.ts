import type { RenderedSection } from './rendered-document.js';

/** Heading ids whose approvals a revision drops: the section is gone, or its text changed. */
export function droppedSections(
  approved: readonly { readonly headingId: string; readonly contentHash: string }[],
  sections: readonly Pick<RenderedSection, 'headingId' | 'contentHash'>[],
): string[] {
  const hashes = new Map(sections.map((section) => [section.headingId, section.contentHash]));
  return approved
    .filter((approval) => hashes.get(approval.headingId) !== approval.contentHash)
    .map((approval) => approval.headingId);
}
