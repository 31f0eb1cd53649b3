/** Limits of this context, shared by every door. Characters are Unicode code points, bytes are UTF-8 bytes. */
export const TITLE_CHARACTERS = 255;
export const DESCRIPTION_CHARACTERS = 2_000;
export const ARCHIVE_REASON_CHARACTERS = 500;
export const TAG_CHARACTERS = 50;
export const TAGS_PER_DOCUMENT = 20;
export const SERIES_NAME_CHARACTERS = 100;
export const SERIES_ORDINAL_MAX = 2_147_483_647;
export const REFERENCES_PER_DOCUMENT = 50;
export const COMMENT_BYTES = 65_536;
export const QUOTE_CHARACTERS = 5_000;
export const REPLACEMENT_CHARACTERS = 5_000;
export const OPEN_THREADS_PER_VERSION = 1_000;
export const REPLIES_PER_THREAD = 200;
export const VERDICT_NOTE_CHARACTERS = 10_000;
export const DECISION_NOTE_CHARACTERS = 5_000;
export const SEARCH_CHARACTERS = 500;
export const COMMENTS_PER_MARK = 200;
/** How long the author of a comment may still change it. */
export const EDIT_MILLISECONDS = 15 * 60_000;
/** Threads of one review answer. */
export const REVIEW_THREADS_DEFAULT = 100;
export const REVIEW_THREADS_MAX = 200;

/** Characters of Markdown in one slice of a document. */
export const SLICE_MIN = 1_000;
export const SLICE_MAX = 200_000;
export const HIGHLIGHTS_PER_VERSION = 100;
export const HIGHLIGHT_CHARACTERS = 2_000;
export const FINDINGS_PER_REVIEW = 50;
export const FINDING_TITLE_CHARACTERS = 200;
export const FINDING_BODY_CHARACTERS = 5_000;
export const FINDING_SECTION_CHARACTERS = 255;
export const REVIEW_SUMMARY_CHARACTERS = 4_000;
/** Reviews by agents that pages and `document_get_review` show, the newest. */
export const AGENT_REVIEWS_SHOWN = 20;
