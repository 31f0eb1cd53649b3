-- Data exports that people asked for, and where their archives lie.
CREATE TABLE platform.exports (
  id uuid PRIMARY KEY,
  person_id uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'running', 'ready', 'failed')),
  requested_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Which run works at it, and until when it is believed to.
  holder uuid,
  held_until timestamptz(3),
  finished_at timestamptz(3),
  expires_at timestamptz(3),
  bytes bigint,
  blob_key text,
  -- SHA-256 in hex; beside it the token itself, sealed, for the link on the page of its owner.
  token_hash text,
  token_sealed text,
  CHECK ((state = 'ready') = (token_hash IS NOT NULL)),
  CHECK ((state = 'ready') = (blob_key IS NOT NULL))
);

CREATE UNIQUE INDEX exports_one_at_a_time ON platform.exports (person_id) WHERE state IN ('pending', 'running');
CREATE INDEX exports_person ON platform.exports (person_id, requested_at DESC);
CREATE INDEX exports_expiry ON platform.exports (expires_at) WHERE state = 'ready';
