-- Passages that an author tints; they belong to one version and are never carried.
CREATE TABLE documents.highlight (
  document_version_id uuid NOT NULL REFERENCES documents.document_version (id) ON DELETE CASCADE,
  position integer NOT NULL,
  start_offset integer NOT NULL,
  end_offset integer NOT NULL,
  quote text NOT NULL,
  PRIMARY KEY (document_version_id, position)
);
