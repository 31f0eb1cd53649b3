CREATE SCHEMA IF NOT EXISTS board;

CREATE TABLE board.board (
  project_id uuid PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  revision bigint NOT NULL DEFAULT 0,
  columns_revision bigint NOT NULL DEFAULT 0,
  next_card_number integer NOT NULL DEFAULT 1 CHECK (next_card_number >= 1),
  finished_window_days integer NOT NULL DEFAULT 3 CHECK (finished_window_days BETWEEN 1 AND 30),
  -- Deletions up to this revision are no longer remembered.
  forgotten_revision bigint NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE board.board_column (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES board.board (project_id),
  label text NOT NULL CHECK (char_length(label) BETWEEN 1 AND 100),
  slug text NOT NULL CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND char_length(slug) <= 100),
  position integer NOT NULL CHECK (position >= 0),
  backlog boolean NOT NULL,
  terminal boolean NOT NULL,
  colour text NOT NULL,
  revision bigint NOT NULL DEFAULT 0,
  cards integer NOT NULL DEFAULT 0 CHECK (cards >= 0),
  CHECK (backlog = (slug = 'backlog')),
  CHECK (backlog = (position = 0)),
  CHECK (NOT (backlog AND terminal)),
  CONSTRAINT board_column_slug UNIQUE (project_id, slug) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT board_column_position UNIQUE (project_id, position) DEFERRABLE INITIALLY DEFERRED
) WITH (fillfactor = 50);

-- What a move changes is apart from the texts, so that a move touches no index of words.
CREATE TABLE board.card (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES board.board (project_id),
  number integer NOT NULL CHECK (number >= 1),
  title text NOT NULL,
  type text NOT NULL,
  column_id uuid NOT NULL REFERENCES board.board_column (id),
  -- Ascending order of the column. With gaps while the card is open; minus the milliseconds of completion afterwards.
  rank bigint NOT NULL,
  reporter text NOT NULL CHECK (reporter IN ('human', 'agent', 'reviewer')),
  source_kind text NOT NULL CHECK (source_kind IN ('person', 'widget', 'run', 'agent', 'loupe')),
  source_run_id uuid,
  source_run_card_number integer,
  parent_card_id uuid REFERENCES board.card (id) CHECK (parent_card_id <> id),
  lane_enabled boolean NOT NULL DEFAULT true,
  completed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  created_by uuid,
  revision bigint NOT NULL,
  content_version integer NOT NULL DEFAULT 1,
  CONSTRAINT card_number UNIQUE (project_id, number)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX card_open_rank ON board.card (column_id, rank) WHERE completed_at IS NULL;
CREATE INDEX card_column_order ON board.card (column_id, rank, id);
CREATE INDEX card_column_created ON board.card (column_id, created_at DESC, id DESC);
CREATE INDEX card_column_parent ON board.card (column_id, parent_card_id) WHERE parent_card_id IS NOT NULL;
CREATE INDEX card_parent ON board.card (parent_card_id, completed_at) WHERE parent_card_id IS NOT NULL;
CREATE INDEX card_project_updated ON board.card (project_id, updated_at DESC, id);
CREATE INDEX card_project_revision ON board.card (project_id, revision);
CREATE INDEX card_project_type ON board.card (project_id, type);

CREATE TABLE board.card_body (
  card_id uuid PRIMARY KEY REFERENCES board.card (id) ON DELETE CASCADE,
  body text NOT NULL
);

-- What a search reads, without the bodies: a count of matches passes over many rows.
CREATE TABLE board.card_text (
  card_id uuid PRIMARY KEY REFERENCES board.card (id) ON DELETE CASCADE,
  project_id uuid NOT NULL,
  -- The title once more, for the index of fragments.
  title text NOT NULL,
  language text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  search_vector tsvector NOT NULL
);
CREATE INDEX card_text_words ON board.card_text USING gin (search_vector);
CREATE INDEX card_text_language ON board.card_text (project_id, language, created_at DESC);

-- A language that is no longer installed is read without stems.
CREATE FUNCTION board.search_configuration(language text) RETURNS regconfig LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT c.oid::regconfig FROM pg_ts_config c
                    WHERE c.cfgname = language AND pg_ts_config_is_visible(c.oid)), 'simple'::regconfig)
$$;

-- Fragments of titles are found without this index too, only slower, where the extension is not to be had.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX card_text_title_fragments ON board.card_text USING gin (title gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'pg_trgm is not available: %', SQLERRM;
END $$;

-- The count of a column is part of what the database keeps true. Once a statement, not once a row: a column that goes
-- with thousands of cards would else write the same two rows thousands of times.
CREATE FUNCTION board.count_cards() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE board.board_column c SET cards = c.cards + d.n
      FROM (SELECT column_id, count(*)::int AS n FROM came GROUP BY column_id) d WHERE c.id = d.column_id;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE board.board_column c SET cards = c.cards - d.n
      FROM (SELECT column_id, count(*)::int AS n FROM gone GROUP BY column_id) d WHERE c.id = d.column_id;
  ELSE
    UPDATE board.board_column c SET cards = c.cards + d.n
      FROM (SELECT column_id, sum(n)::int AS n FROM
             (SELECT column_id, 1 AS n FROM came UNION ALL SELECT column_id, -1 FROM gone) steps
            GROUP BY column_id HAVING sum(n) <> 0) d WHERE c.id = d.column_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER card_came AFTER INSERT ON board.card REFERENCING NEW TABLE AS came
  FOR EACH STATEMENT EXECUTE FUNCTION board.count_cards();
CREATE TRIGGER card_went AFTER DELETE ON board.card REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION board.count_cards();
CREATE TRIGGER card_moved AFTER UPDATE ON board.card REFERENCING OLD TABLE AS gone NEW TABLE AS came
  FOR EACH STATEMENT EXECUTE FUNCTION board.count_cards();

CREATE TABLE board.card_link (
  project_id uuid NOT NULL,
  a_id uuid NOT NULL REFERENCES board.card (id) ON DELETE CASCADE,
  b_id uuid NOT NULL REFERENCES board.card (id) ON DELETE CASCADE,
  -- The card that blocks the other; null when they only relate.
  blocker_id uuid CHECK (blocker_id IN (a_id, b_id)),
  PRIMARY KEY (a_id, b_id),
  CHECK (a_id < b_id)
);
CREATE INDEX card_link_other_end ON board.card_link (b_id);

CREATE TABLE board.card_pull_request (
  id uuid PRIMARY KEY,
  card_id uuid NOT NULL REFERENCES board.card (id) ON DELETE CASCADE,
  project_id uuid NOT NULL,
  url text NOT NULL CHECK (char_length(url) BETWEEN 1 AND 512),
  forge text NOT NULL CHECK (forge IN ('github', 'other')),
  repository text CHECK (char_length(repository) <= 255),
  number integer,
  added_at timestamptz(3) NOT NULL,
  position integer NOT NULL,
  CONSTRAINT card_pull_request_url UNIQUE (card_id, url)
);
CREATE INDEX card_pull_request_order ON board.card_pull_request (card_id, position);
CREATE INDEX card_pull_request_place ON board.card_pull_request (project_id, forge, repository, number);

CREATE TABLE board.card_document (
  card_id uuid NOT NULL REFERENCES board.card (id) ON DELETE CASCADE,
  document_id uuid NOT NULL,
  project_id uuid NOT NULL,
  position integer NOT NULL,
  PRIMARY KEY (card_id, document_id)
);
CREATE INDEX card_document_document ON board.card_document (document_id);

CREATE TABLE board.card_history (
  id uuid PRIMARY KEY,
  card_id uuid NOT NULL REFERENCES board.card (id) ON DELETE CASCADE,
  project_id uuid NOT NULL,
  kind text NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  actor_kind text NOT NULL CHECK (actor_kind IN ('human', 'agent', 'reviewer', 'system')),
  actor_user_id uuid,
  run_id uuid,
  payload jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX card_history_card ON board.card_history (card_id, occurred_at DESC, id DESC);
CREATE INDEX card_history_person ON board.card_history (actor_user_id) WHERE actor_user_id IS NOT NULL;

CREATE TABLE board.card_hold (
  card_id uuid PRIMARY KEY REFERENCES board.card (id) ON DELETE CASCADE,
  project_id uuid NOT NULL,
  held_by uuid,
  actor_kind text NOT NULL,
  held_at timestamptz(3) NOT NULL,
  note text CHECK (char_length(note) <= 500)
);
CREATE INDEX card_hold_project ON board.card_hold (project_id);

CREATE TABLE board.card_pause (
  id uuid PRIMARY KEY,
  card_id uuid NOT NULL REFERENCES board.card (id) ON DELETE CASCADE,
  project_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('rule', 'retries', 'work-limit', 'work-timeout', 'work-stopped')),
  reason text NOT NULL,
  rule_id text,
  subject text,
  since timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  ended_by uuid,
  end_reason text CHECK (end_reason IN ('released', 'condition', 'resumed', 'card-finished', 'card-deleted')),
  CHECK ((ended_at IS NULL) = (end_reason IS NULL))
);
CREATE UNIQUE INDEX card_pause_active ON board.card_pause (card_id) WHERE ended_at IS NULL;
CREATE INDEX card_pause_card ON board.card_pause (card_id);
CREATE INDEX card_pause_project ON board.card_pause (project_id) WHERE ended_at IS NULL;

CREATE TABLE board.card_state (
  card_id uuid PRIMARY KEY REFERENCES board.card (id) ON DELETE CASCADE,
  project_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('stuck', 'needs-you', 'working', 'waiting')),
  code text NOT NULL,
  since timestamptz(3),
  reason_params jsonb NOT NULL DEFAULT '{}',
  others jsonb NOT NULL DEFAULT '[]',
  computed_at timestamptz(3) NOT NULL
);
CREATE INDEX card_state_kind ON board.card_state (project_id, kind);

-- Agent sessions of people that are open on a card.
CREATE TABLE board.card_session (
  run_id uuid PRIMARY KEY,
  card_id uuid NOT NULL,
  project_id uuid NOT NULL,
  session_id text NOT NULL,
  name text NOT NULL,
  person_id uuid,
  column_id uuid NOT NULL,
  opened_at timestamptz(3) NOT NULL,
  seen_at timestamptz(3) NOT NULL,
  closed_at timestamptz(3),
  close_reason text CHECK (close_reason IN ('closed', 'card-moved', 'card-finished', 'card-deleted', 'replaced', 'stale')),
  CHECK ((closed_at IS NULL) = (close_reason IS NULL))
);
CREATE UNIQUE INDEX card_session_open ON board.card_session (card_id, session_id) WHERE closed_at IS NULL;
CREATE INDEX card_session_card ON board.card_session (card_id, opened_at DESC);
CREATE INDEX card_session_seen ON board.card_session (seen_at) WHERE closed_at IS NULL;
CREATE INDEX card_session_project ON board.card_session (project_id);

CREATE TABLE board.board_tombstone (
  card_id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  revision bigint NOT NULL,
  deleted_at timestamptz(3) NOT NULL
);
CREATE INDEX board_tombstone_revision ON board.board_tombstone (project_id, revision);
CREATE INDEX board_tombstone_age ON board.board_tombstone (deleted_at);
