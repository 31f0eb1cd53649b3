-- Mails on their way. What they say is sealed, because it holds links that sign people in, and is taken away when it has
-- left; the row stays a while, so that a mail of the same key is not sent again.
CREATE TABLE platform.mails (
  id uuid PRIMARY KEY,
  key text NOT NULL,
  sealed text,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'handed-over', 'sent', 'refused', 'unknown')),
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Set before the end of the letter is written: from then on nobody but the mail server knows.
  handed_over_at timestamptz(3),
  settled_at timestamptz(3)
);

CREATE UNIQUE INDEX mails_key ON platform.mails (key);
CREATE INDEX mails_waiting ON platform.mails (id) WHERE state = 'waiting';
CREATE INDEX mails_settled ON platform.mails (settled_at) WHERE settled_at IS NOT NULL;
