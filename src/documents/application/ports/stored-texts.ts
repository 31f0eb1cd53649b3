import type { RenderedDocument } from '../../domain/rendered-document.js';

/** A version as it was rendered when it was written. */
export interface StoredVersion extends Omit<RenderedDocument, 'warnings'> {
  readonly id: string;
  readonly documentId: string;
  readonly number: number;
  readonly markdown: string;
}

/** Something short that was rendered in the dialect of comments. */
export interface StoredRemark {
  readonly id: string;
  readonly text: string;
  readonly html: string;
}

export type RemarkKind = 'comment' | 'verdict' | 'finding';

export const REMARK_KINDS: readonly RemarkKind[] = ['comment', 'verdict', 'finding'];

/** Every rendered text of the instance, page by page, for rendering it anew. */
export abstract class StoredTexts {
  /** Versions after `afterId` in order of id, few at a time: they may be long. */
  abstract versions(afterId: string | null): Promise<StoredVersion[]>;
  /** False when the version has gone meanwhile. */
  abstract replaceVersionHtml(id: string, html: string, rendererVersion: string): Promise<boolean>;
  /** Remarks after `afterId` in order of id. */
  abstract remarks(kind: RemarkKind, afterId: string | null): Promise<StoredRemark[]>;
  /** Nothing when its text has changed since it was read: then it was rendered by whoever changed it. */
  abstract replaceRemarkHtml(kind: RemarkKind, remark: StoredRemark, html: string): Promise<boolean>;
}
