-- Invitations into a project (`platform.md` 3.7). The clear token stands in a mail or a copied link only.
CREATE TABLE projects.invitations (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects.projects (id) ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('maintainer', 'member', 'viewer')),
  -- Null for a link that the first who opens it may use.
  email text CHECK (char_length(email) <= 254),
  token_hash text NOT NULL UNIQUE,
  created_by uuid NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'accepted', 'declined', 'revoked')),
  used_at timestamptz(3),
  used_by uuid
);

CREATE INDEX invitations_open ON projects.invitations (project_id, created_at DESC) WHERE state = 'open';
-- One open invitation an address: a newer one ends the older.
CREATE UNIQUE INDEX invitations_open_address ON projects.invitations (project_id, lower(email))
  WHERE state = 'open' AND email IS NOT NULL;
CREATE INDEX invitations_address ON projects.invitations (lower(email)) WHERE state = 'open' AND email IS NOT NULL;
