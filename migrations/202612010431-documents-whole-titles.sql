-- @outside-transaction: there may be tens of thousands of documents, and no write should wait for their index.
-- A document whose whole title was typed is found by it, however many others hold its words. Case, and the
-- marks that nobody sees (`UNSEEN` in libs/kernel/words.ts), make no difference.
DROP INDEX CONCURRENTLY IF EXISTS documents.document_whole_title;
CREATE INDEX CONCURRENTLY document_whole_title ON documents.document
  (project_id, lower(translate(title, U&'\00AD\061C\200B\200E\200F\202A\202B\202C\202D\202E\2060\2066\2067\2068\2069\FEFF', '')));
