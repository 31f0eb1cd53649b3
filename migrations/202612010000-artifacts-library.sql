CREATE SCHEMA IF NOT EXISTS artifacts;

CREATE TABLE artifacts.workspace (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 60),
  is_general boolean NOT NULL DEFAULT false,
  agent_access text NOT NULL DEFAULT 'write' CHECK (agent_access IN ('write', 'read', 'none')),
  archived_at timestamptz(3),
  created_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX workspace_name ON artifacts.workspace (project_id, lower(name));
CREATE UNIQUE INDEX workspace_general ON artifacts.workspace (project_id) WHERE is_general;

-- Limits, hosts and what is counted once per project. Its row is the lock of quotas.
CREATE TABLE artifacts.shelf (
  project_id uuid PRIMARY KEY,
  preview_hosts text[] NOT NULL DEFAULT '{}',
  -- Bytes of the distinct blobs that versions of the project hold.
  bytes bigint NOT NULL DEFAULT 0 CHECK (bytes >= 0),
  artifacts integer NOT NULL DEFAULT 0 CHECK (artifacts >= 0),
  created_at timestamptz(3) NOT NULL
);

CREATE TABLE artifacts.artifact (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  workspace_id uuid NOT NULL REFERENCES artifacts.workspace (id),
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 120),
  description text NOT NULL DEFAULT '' CHECK (char_length(description) <= 1000),
  artifact_type text NOT NULL CHECK (artifact_type IN ('app', 'markdown', 'asset')),
  framework text CHECK (framework IN ('html', 'react')),
  origin text NOT NULL CHECK (origin IN ('push', 'empty', 'import', 'p2c', 'l2c', 'f2c', 'duplicate')),
  status text NOT NULL CHECK (status IN ('generating', 'ready', 'failed')),
  error text,
  privacy text NOT NULL DEFAULT 'private' CHECK (privacy IN ('private', 'public')),
  -- What the creator wished to be shown first; the entry of a version stands with the version.
  entry_wish text,
  latest_version integer,
  head_revision text,
  latest_entry_path text,
  latest_file_count integer,
  latest_total_bytes bigint,
  preview_epoch integer NOT NULL DEFAULT 1,
  -- Raised by each change of the row; edits on the web name the one they saw.
  edit integer NOT NULL DEFAULT 1,
  archived_at timestamptz(3),
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  created_by_kind text NOT NULL CHECK (created_by_kind IN ('person', 'agent', 'worker')),
  created_by uuid,
  CHECK (artifact_type = 'app' OR framework IS NULL),
  CHECK ((latest_version IS NULL) = (latest_file_count IS NULL))
);
CREATE INDEX artifact_active ON artifacts.artifact (project_id, created_at DESC, id DESC)
  WHERE deleted_at IS NULL AND archived_at IS NULL;
CREATE INDEX artifact_kept ON artifacts.artifact (project_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX artifact_changed ON artifacts.artifact (project_id, updated_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX artifact_workspace ON artifacts.artifact (workspace_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX artifact_deleted ON artifacts.artifact (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE artifacts.version (
  id uuid PRIMARY KEY,
  artifact_id uuid NOT NULL REFERENCES artifacts.artifact (id) ON DELETE CASCADE,
  number integer NOT NULL CHECK (number >= 1),
  -- Commit on main that holds these files; null for assets, which have no repository.
  revision text CHECK (revision ~ '^[0-9a-f]{40}$'),
  notes text NOT NULL DEFAULT '' CHECK (char_length(notes) <= 2000),
  source text NOT NULL CHECK (source IN ('push', 'import', 'seed', 'generate', 'edit', 'git', 'restore', 'duplicate')),
  entry_path text,
  file_count integer NOT NULL CHECK (file_count >= 0),
  total_bytes bigint NOT NULL CHECK (total_bytes >= 0),
  -- SHA-256 over the manifest in path order: equal sets have equal digests.
  manifest_digest text NOT NULL,
  skipped_files jsonb NOT NULL DEFAULT '[]',
  skipped_count integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  created_by_kind text NOT NULL CHECK (created_by_kind IN ('person', 'agent', 'worker')),
  created_by uuid
);
CREATE UNIQUE INDEX version_number ON artifacts.version (artifact_id, number DESC);
CREATE UNIQUE INDEX version_revision ON artifacts.version (artifact_id, revision) WHERE revision IS NOT NULL;

CREATE TABLE artifacts.file (
  version_id uuid NOT NULL REFERENCES artifacts.version (id) ON DELETE CASCADE,
  path text COLLATE "C" NOT NULL,
  sha256 text NOT NULL,
  bytes bigint NOT NULL CHECK (bytes >= 0),
  content_type text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('text', 'image', 'binary')),
  PRIMARY KEY (version_id, path)
);
CREATE INDEX file_blob ON artifacts.file (sha256);

-- What is stored under a hash. Kind and type without regard to the name; names decide the type of texts.
CREATE TABLE artifacts.blob (
  sha256 text PRIMARY KEY,
  bytes bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('text', 'image', 'binary')),
  -- Type told by the first bytes; null for text and unknown binaries.
  sniffed_type text,
  stored_at timestamptz(3) NOT NULL
);

-- Blobs that a project holds, so that a hash tells nothing about other projects and quotas count each once.
CREATE TABLE artifacts.project_blob (
  project_id uuid NOT NULL,
  sha256 text NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (project_id, sha256)
);

CREATE TABLE artifacts.card_link (
  artifact_id uuid NOT NULL REFERENCES artifacts.artifact (id) ON DELETE CASCADE,
  card_id uuid NOT NULL,
  project_id uuid NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY,
  created_at timestamptz(3) NOT NULL,
  created_by uuid,
  PRIMARY KEY (artifact_id, card_id)
);
CREATE INDEX card_link_card ON artifacts.card_link (card_id, position);

CREATE TABLE artifacts.upload (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  person_id uuid NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('source', 'asset')),
  secret_hash text NOT NULL,
  state text NOT NULL CHECK (state IN ('reserved', 'uploaded', 'consumed', 'expired')),
  bytes bigint,
  blob_key text,
  expires_at timestamptz(3) NOT NULL,
  consumed_by uuid,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX upload_open ON artifacts.upload (expires_at) WHERE state IN ('reserved', 'uploaded');

CREATE TABLE artifacts.push (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  person_id uuid NOT NULL,
  -- Target and manifest as asked for.
  request jsonb NOT NULL,
  -- Answer of the commit; a repeated commit gets it again.
  result jsonb,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX push_expiry ON artifacts.push (expires_at);

-- Blobs that a push brought, so that they count as present for its commit alone.
CREATE TABLE artifacts.push_blob (
  push_id uuid NOT NULL REFERENCES artifacts.push (id) ON DELETE CASCADE,
  sha256 text NOT NULL,
  PRIMARY KEY (push_id, sha256)
);

CREATE TABLE artifacts.git_token (
  id uuid PRIMARY KEY,
  artifact_id uuid NOT NULL REFERENCES artifacts.artifact (id) ON DELETE CASCADE,
  project_id uuid NOT NULL,
  person_id uuid NOT NULL,
  connection_id uuid,
  access text NOT NULL CHECK (access IN ('ro', 'rw')),
  secret_hash text NOT NULL UNIQUE,
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX git_token_artifact ON artifacts.git_token (artifact_id);
CREATE INDEX git_token_person ON artifacts.git_token (person_id);
CREATE INDEX git_token_connection ON artifacts.git_token (connection_id) WHERE connection_id IS NOT NULL;

-- A version whose bundle still has to be written, and what was written last.
CREATE TABLE artifacts.bundle (
  artifact_id uuid PRIMARY KEY REFERENCES artifacts.artifact (id) ON DELETE CASCADE,
  revision text NOT NULL,
  blob_key text NOT NULL,
  stored_at timestamptz(3) NOT NULL
);

-- The right to write one artifact. Whoever holds it renews it; one that a killed process left behind runs out.
CREATE TABLE artifacts.write_lease (
  artifact_id uuid PRIMARY KEY,
  holder uuid NOT NULL,
  held_until timestamptz NOT NULL
);

-- Who pushed a tip over git, noted before the refs move: a version that is stored after a crash is still theirs.
CREATE TABLE artifacts.pushed_tip (
  artifact_id uuid NOT NULL REFERENCES artifacts.artifact (id) ON DELETE CASCADE,
  revision text NOT NULL,
  maker_kind text NOT NULL CHECK (maker_kind IN ('person', 'agent', 'worker')),
  maker uuid,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (artifact_id, revision)
);

-- Blobs whose bytes were not those of their hash when they were looked at.
CREATE TABLE artifacts.damaged_blob (
  sha256 text PRIMARY KEY,
  found_at timestamptz(3) NOT NULL
);
