-- @outside-transaction: there may be tens of thousands of documents, and no write should wait for their index.
-- A document whose whole title was typed is found by it, however many others hold its words.
DROP INDEX CONCURRENTLY IF EXISTS documents.document_whole_title;
CREATE INDEX CONCURRENTLY document_whole_title ON documents.document (project_id, lower(title));
