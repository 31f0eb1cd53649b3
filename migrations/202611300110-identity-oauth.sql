-- One row per approved consent; its id is the grant id of the authorization server.
CREATE TABLE identity.connections (
  id uuid PRIMARY KEY,
  person_id uuid NOT NULL REFERENCES identity.persons (id) ON DELETE CASCADE,
  client_id text NOT NULL,
  client_name text NOT NULL,
  client_uri text,
  scopes text[] NOT NULL,
  project_id uuid,
  origin text,
  label text,
  audience text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  last_ip text,
  last_client_info jsonb,
  revoked_at timestamptz(3),
  revoked_by uuid,
  revoked_reason text CHECK (revoked_reason IN (
    'person', 'client', 'project-deleted', 'member-removed', 'person-deleted', 'refresh-reuse', 'code-reuse', 'admin', 'expired'
  )),
  CHECK ((revoked_at IS NULL) = (revoked_reason IS NULL)),
  CHECK (project_id IS NOT NULL OR scopes && ARRAY['agent', 'projects'])
);
CREATE INDEX connections_person ON identity.connections (person_id, revoked_at);
CREATE INDEX connections_project ON identity.connections (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX connections_origin ON identity.connections (origin) WHERE origin IS NOT NULL AND revoked_at IS NULL;
CREATE INDEX connections_expiry ON identity.connections (expires_at) WHERE revoked_at IS NULL;

CREATE TABLE identity.connection_project_uses (
  connection_id uuid NOT NULL REFERENCES identity.connections (id) ON DELETE CASCADE,
  project_id uuid NOT NULL,
  first_used_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3) NOT NULL,
  PRIMARY KEY (connection_id, project_id)
);
CREATE INDEX connection_project_uses_project ON identity.connection_project_uses (project_id, last_used_at DESC);

-- Codes, tokens and requests under way. Ids are kept as SHA-256 alone, so a copy of this table signs nobody in.
CREATE TABLE identity.oauth_artefacts (
  model text NOT NULL,
  id_hash text NOT NULL,
  grant_id uuid,
  -- Keyed hash of the code that a person types; eight letters alone would be guessed from a plain one.
  user_code_hash text,
  payload jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  consumed_at timestamptz(3),
  -- Uses of a spent refresh token inside the grace window.
  grace_uses int NOT NULL DEFAULT 0,
  -- When a person answered the consent or device page.
  answered_at timestamptz(3),
  last_polled_at timestamptz(3),
  poll_interval_seconds int NOT NULL DEFAULT 5,
  PRIMARY KEY (model, id_hash)
);
CREATE INDEX oauth_artefacts_grant ON identity.oauth_artefacts (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oauth_artefacts_expiry ON identity.oauth_artefacts (expires_at);
CREATE UNIQUE INDEX oauth_artefacts_user_code ON identity.oauth_artefacts (user_code_hash) WHERE user_code_hash IS NOT NULL;

-- Metadata documents of apps that identify themselves by an address.
CREATE TABLE identity.oauth_client_documents (
  client_id text PRIMARY KEY,
  document jsonb,
  fetched_at timestamptz(3),
  fresh_until timestamptz(3),
  failure text,
  failed_until timestamptz(3)
);

-- The library wants a signing key although nothing is signed. The private key is sealed with APP_ENCRYPTION_KEY.
CREATE TABLE identity.oauth_keys (
  name text PRIMARY KEY,
  sealed_jwk text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
