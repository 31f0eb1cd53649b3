-- Links that are sent or copied: the hash alone, never the value.
CREATE TABLE identity.account_tokens (
  id uuid PRIMARY KEY,
  -- Null for invitations, which are for somebody without an account.
  person_id uuid REFERENCES identity.persons (id) ON DELETE CASCADE,
  purpose text NOT NULL
    CHECK (purpose IN ('verify-email', 'reset-password', 'change-email', 'invite', 'set-password')),
  -- SHA-256 in hex.
  token_hash text NOT NULL,
  -- The address that the link is about, for invitations and changes of address.
  email text,
  created_by uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);

CREATE UNIQUE INDEX account_tokens_hash ON identity.account_tokens (token_hash);
CREATE INDEX account_tokens_person ON identity.account_tokens (person_id, purpose);
CREATE INDEX account_tokens_email ON identity.account_tokens (lower(email)) WHERE purpose = 'invite';
CREATE INDEX account_tokens_expiry ON identity.account_tokens (expires_at);
