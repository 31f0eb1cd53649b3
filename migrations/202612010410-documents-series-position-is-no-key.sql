-- A column of a plain unique constraint counts as a key: a change of it waits for everybody who just referred to the row,
-- so that two documents which refer to each other and enter a series wait in a circle. A partial index is no key.
-- @contract-phase: the index right below takes its place under its name, and no statement names the constraint
ALTER TABLE documents.document DROP CONSTRAINT document_series_position;
-- @contract-phase: as unique as the constraint above was
CREATE UNIQUE INDEX document_series_position ON documents.document (series_id, series_ordinal)
  WHERE series_id IS NOT NULL;
