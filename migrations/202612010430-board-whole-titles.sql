-- @outside-transaction: there may be a hundred thousand cards, and no write should wait for their index.
-- A card whose whole title was typed is found by it, however many others hold its words.
DROP INDEX CONCURRENTLY IF EXISTS board.card_text_whole_title;
CREATE INDEX CONCURRENTLY card_text_whole_title ON board.card_text (project_id, lower(title), created_at DESC);
