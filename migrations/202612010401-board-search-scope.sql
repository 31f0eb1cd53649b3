-- One more word in every vector names project and language, so that the index alone finds the cards of a search and
-- none of another project is read. No parser makes a word with blanks. A trigger adds it, so that rows of a release
-- that does not know it are found too.
CREATE FUNCTION board.search_scope(project_id uuid, language text) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN 'scope ' || project_id || ' ' || language;

CREATE FUNCTION board.name_search_scope() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search_vector := NEW.search_vector
    || array_to_tsvector(ARRAY[board.search_scope(NEW.project_id, NEW.language)]);
  RETURN NEW;
END $$;
CREATE TRIGGER card_text_scope BEFORE INSERT OR UPDATE OF search_vector ON board.card_text
  FOR EACH ROW EXECUTE FUNCTION board.name_search_scope();

UPDATE board.card_text SET search_vector = search_vector;
