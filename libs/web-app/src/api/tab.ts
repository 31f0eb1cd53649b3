import { requestId } from './request-id';

/** Names this page to the server, so that what it wrote itself is told from what others did. */
export const tabId = requestId();
