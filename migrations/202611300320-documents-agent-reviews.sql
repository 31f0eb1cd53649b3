-- Reviews of draft designs by worker runs; a review is written once and answered once.
CREATE TABLE documents.agent_review (
  id uuid PRIMARY KEY,
  document_id uuid NOT NULL REFERENCES documents.document (id) ON DELETE CASCADE,
  card_id uuid NOT NULL,
  -- Null once the card is gone.
  card_number integer,
  run_id uuid NOT NULL,
  session_id text NOT NULL,
  version_number integer NOT NULL,
  was_current boolean NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('passed', 'failed')),
  summary text,
  submitted_at timestamptz NOT NULL,
  answered_at timestamptz,
  answer_run_id uuid,
  CONSTRAINT agent_review_once UNIQUE (run_id, document_id, version_number),
  CONSTRAINT agent_review_answer_whole CHECK ((answered_at IS NULL) = (answer_run_id IS NULL))
);
CREATE INDEX agent_review_document ON documents.agent_review (document_id, submitted_at DESC, id DESC);
CREATE INDEX agent_review_card ON documents.agent_review (card_id, document_id, submitted_at DESC, id DESC);

CREATE TABLE documents.agent_review_finding (
  id uuid PRIMARY KEY,
  agent_review_id uuid NOT NULL REFERENCES documents.agent_review (id) ON DELETE CASCADE,
  position integer NOT NULL,
  title text NOT NULL,
  body text NOT NULL,
  body_html text NOT NULL,
  section text,
  needs_person boolean NOT NULL,
  answer text CHECK (answer IN ('fixed', 'not-changed', 'to-owner')),
  reason text,
  CONSTRAINT agent_review_finding_position UNIQUE (agent_review_id, position)
);
