-- What a revision did to all threads of the version before, resolved ones included.
ALTER TABLE documents.document_version
  ADD COLUMN threads_stayed integer NOT NULL DEFAULT 0,
  ADD COLUMN threads_moved integer NOT NULL DEFAULT 0,
  ADD COLUMN threads_lost integer NOT NULL DEFAULT 0;
