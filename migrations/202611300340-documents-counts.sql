-- Counts of documents, kept as they change, so that lists of many documents say their total without reading them all.
-- The triggers wait for the end of the transaction: the rows that all writers of a project share are held only then,
-- and in one order.
CREATE TABLE documents.document_count (
  project_id uuid NOT NULL,
  status text NOT NULL,
  archived boolean NOT NULL,
  documents integer NOT NULL,
  PRIMARY KEY (project_id, status, archived)
);
ALTER TABLE documents.tag ADD COLUMN document_count integer NOT NULL DEFAULT 0;
ALTER TABLE documents.series ADD COLUMN document_count integer NOT NULL DEFAULT 0;

-- Whoever takes a whole project out turns counting off until the transaction ends, and removes the counts as well.
CREATE FUNCTION documents.counting() RETURNS boolean LANGUAGE sql STABLE
  RETURN coalesce(current_setting('documents.counting', true), '') <> 'off';

CREATE FUNCTION documents.count_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO documents.document_count AS counted (project_id, status, archived, documents)
  SELECT project_id, status, archived, sum(step)
  FROM (
    SELECT OLD.project_id, OLD.status, OLD.archived_at IS NOT NULL AS archived, -1 AS step WHERE TG_OP <> 'INSERT'
    UNION ALL
    SELECT NEW.project_id, NEW.status, NEW.archived_at IS NOT NULL, 1 WHERE TG_OP <> 'DELETE'
  ) AS steps
  GROUP BY project_id, status, archived HAVING sum(step) <> 0
  ORDER BY project_id, status, archived
  ON CONFLICT (project_id, status, archived) DO UPDATE SET documents = counted.documents + excluded.documents;
  RETURN NULL;
END $$;

CREATE FUNCTION documents.count_series() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE documents.series AS s SET document_count = s.document_count + steps.step
  FROM (
    SELECT series_id, sum(step) AS step
    FROM (
      SELECT OLD.series_id, -1 AS step WHERE TG_OP <> 'INSERT'
      UNION ALL
      SELECT NEW.series_id, 1 WHERE TG_OP <> 'DELETE'
    ) AS both_ends
    WHERE series_id IS NOT NULL GROUP BY series_id HAVING sum(step) <> 0
  ) AS steps
  WHERE s.id = steps.series_id;
  RETURN NULL;
END $$;

CREATE FUNCTION documents.count_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE documents.tag SET document_count = document_count + 1 WHERE id = NEW.tag_id;
  ELSE
    UPDATE documents.tag SET document_count = document_count - 1 WHERE id = OLD.tag_id;
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER document_counted
  AFTER INSERT OR DELETE OR UPDATE OF status, archived_at ON documents.document
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (documents.counting()) EXECUTE FUNCTION documents.count_document();
CREATE CONSTRAINT TRIGGER series_counted
  AFTER INSERT OR DELETE OR UPDATE OF series_id ON documents.document
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (documents.counting()) EXECUTE FUNCTION documents.count_series();
CREATE CONSTRAINT TRIGGER tag_counted
  AFTER INSERT OR DELETE ON documents.document_tag
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (documents.counting()) EXECUTE FUNCTION documents.count_tag();

INSERT INTO documents.document_count (project_id, status, archived, documents)
SELECT project_id, status, archived_at IS NOT NULL, count(*) FROM documents.document GROUP BY 1, 2, 3;
UPDATE documents.tag t SET document_count = c.documents
FROM (SELECT tag_id, count(*) AS documents FROM documents.document_tag GROUP BY tag_id) AS c WHERE c.tag_id = t.id;
UPDATE documents.series s SET document_count = c.documents
FROM (SELECT series_id, count(*) AS documents FROM documents.document GROUP BY series_id) AS c WHERE c.series_id = s.id;

-- In these the newest documents come first as the list asks for them: IS NULL in the middle of an index keeps no order.
DROP INDEX documents.document_recent;
DROP INDEX documents.document_status;
CREATE INDEX document_recent ON documents.document (project_id, content_updated_at DESC, id)
  WHERE archived_at IS NULL;
CREATE INDEX document_recent_all ON documents.document (project_id, content_updated_at DESC, id);
CREATE INDEX document_status ON documents.document (project_id, status, content_updated_at DESC, id);
