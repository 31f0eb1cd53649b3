import type { CardFields, FullCard, LinkKind } from '../types';

export interface CardDraft {
  readonly title: string;
  readonly body: string;
  readonly type: string;
  readonly columnId: string;
  readonly parent: { readonly cardId: string; readonly number: number; readonly title: string } | null;
  readonly links: readonly {
    readonly cardId: string;
    readonly number: number;
    readonly title: string;
    readonly kind: LinkKind;
  }[];
  /** One address a line. */
  readonly pullRequests: string;
  readonly documents: readonly { readonly documentId: string; readonly title: string }[];
  /** What becomes of the design of the parent; asked only when the server wants to know. */
  readonly childDesign?: 'inherit' | 'own';
}

export const LINK_WORDS: Readonly<Record<LinkKind, string>> = {
  'relates-to': 'Relates to',
  blocks: 'Blocks',
  'blocked-by': 'Blocked by',
};

export function draftOf(card: FullCard): CardDraft {
  return {
    title: card.title,
    body: card.body,
    type: card.type,
    columnId: card.columnId,
    parent: card.parent,
    links: card.relatedCards.map(({ cardId, number, title, kind }) => ({ cardId, number, title, kind })),
    pullRequests: card.pullRequests.map((link) => link.url).join('\n'),
    documents: card.documents.map(({ documentId, title }) => ({ documentId, title })),
  };
}

export function urlsOf(text: string): readonly string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
}

/** Only what the person changed, so that what others changed meanwhile is not set back. */
export function changesOf(before: CardDraft, after: CardDraft): CardFields {
  const links = (draft: CardDraft) => draft.links.map(({ cardId, kind }) => ({ cardId, kind }));
  const documents = (draft: CardDraft) => draft.documents.map(({ documentId }) => documentId);
  return {
    ...(before.title !== after.title && { title: after.title }),
    ...(before.body !== after.body && { body: after.body }),
    ...(before.type !== after.type && { type: after.type }),
    ...(before.columnId !== after.columnId && {
      columnId: after.columnId,
      fromColumnId: before.columnId,
    }),
    ...(before.parent?.cardId !== after.parent?.cardId && { parentCardId: after.parent?.cardId ?? null }),
    ...(!same(links(before), links(after)) && { relatedCards: links(after) }),
    ...(!same(urlsOf(before.pullRequests), urlsOf(after.pullRequests)) && {
      pullRequestUrls: urlsOf(after.pullRequests),
    }),
    ...(!same(documents(before), documents(after)) && { documentIds: documents(after) }),
    ...(after.childDesign && { childDesign: after.childDesign }),
  };
}

export function isChanged(before: CardDraft, after: CardDraft): boolean {
  return Object.keys(changesOf(before, after)).length > 0;
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
