-- One more word in every vector names project and language, so that the index alone finds the documents of a branch
-- and no vector has to be read to leave out those of other projects and languages. No parser makes a word with blanks.
CREATE FUNCTION documents.search_scope(project_id uuid, language text) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN 'scope ' || project_id || ' ' || language;

-- Ranking and phrases read vectors; read as they are they cost less than half.
ALTER TABLE documents.document ALTER COLUMN search_vector SET STORAGE EXTERNAL;

UPDATE documents.document
SET search_vector = search_vector || array_to_tsvector(ARRAY[documents.search_scope(project_id, language)])
WHERE search_vector IS NOT NULL;
