import { KnownIdPipe } from '#libs/http/request-values.js';

export const documentId = new KnownIdPipe('Document');
export const commentId = new KnownIdPipe('Comment');
