-- Apps that an administrator has shut out.
CREATE TABLE identity.blocked_clients (
  client_id text PRIMARY KEY,
  blocked_by uuid,
  blocked_at timestamptz(3) NOT NULL DEFAULT now()
);
