-- Threads that wait for their reader, kept beside the comments: the agent acted on them, or they lost their words. A list
-- of many documents asks how many documents have one without reading the comments of all of them. Each thread has a row
-- of its own, so that no two writers meet in one.
CREATE TABLE documents.waiting_thread (
  comment_id uuid PRIMARY KEY REFERENCES documents.comment (id) ON DELETE CASCADE,
  project_id uuid NOT NULL,
  document_id uuid NOT NULL,
  version_number integer NOT NULL
);
CREATE INDEX waiting_thread_project ON documents.waiting_thread (project_id, document_id, version_number);
CREATE INDEX waiting_thread_document ON documents.waiting_thread (document_id, version_number);

CREATE FUNCTION documents.thread_waits(c documents.comment) RETURNS boolean LANGUAGE sql IMMUTABLE
  RETURN c.parent_id IS NULL AND c.deleted_at IS NULL AND c.status <> 'resolved' AND (c.status = 'addressed' OR c.orphaned);

CREATE FUNCTION documents.note_waiting_thread() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF documents.thread_waits(NEW) THEN
    INSERT INTO documents.waiting_thread (comment_id, project_id, document_id, version_number)
    SELECT NEW.id, d.project_id, d.id, v.number
    FROM documents.document_version v JOIN documents.document d ON d.id = v.document_id
    WHERE v.id = NEW.document_version_id
    ON CONFLICT (comment_id) DO NOTHING;
  ELSE
    DELETE FROM documents.waiting_thread WHERE comment_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER thread_waits_from_the_start AFTER INSERT ON documents.comment
  FOR EACH ROW WHEN (documents.thread_waits(NEW)) EXECUTE FUNCTION documents.note_waiting_thread();
CREATE TRIGGER thread_waits_or_not AFTER UPDATE OF status, orphaned, deleted_at ON documents.comment
  FOR EACH ROW WHEN (documents.thread_waits(OLD) IS DISTINCT FROM documents.thread_waits(NEW))
  EXECUTE FUNCTION documents.note_waiting_thread();

-- Threads live on in the newest version; those of older ones wait for nobody.
CREATE FUNCTION documents.forget_old_waiting_threads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM documents.waiting_thread WHERE document_id = NEW.id AND version_number < NEW.current_version;
  RETURN NULL;
END $$;
CREATE TRIGGER version_replaced AFTER UPDATE OF current_version ON documents.document
  FOR EACH ROW WHEN (OLD.current_version <> NEW.current_version)
  EXECUTE FUNCTION documents.forget_old_waiting_threads();

INSERT INTO documents.waiting_thread (comment_id, project_id, document_id, version_number)
SELECT c.id, d.project_id, d.id, v.number
FROM documents.comment c
JOIN documents.document_version v ON v.id = c.document_version_id
JOIN documents.document d ON d.id = v.document_id AND d.current_version = v.number
WHERE documents.thread_waits(c);
