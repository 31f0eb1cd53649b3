-- What a version is shown as, where its files alone do not show it: React apps and Markdown.
CREATE TABLE artifacts.preview_build (
  version_id uuid NOT NULL REFERENCES artifacts.version (id) ON DELETE CASCADE,
  -- Kind and edition of the builder with the modules that it had: another one builds anew.
  builder text NOT NULL,
  state text NOT NULL CHECK (state IN ('building', 'ready', 'failed')),
  -- Folder of the version that is shown instead, with its slash; empty for the built files.
  root text NOT NULL DEFAULT '',
  entry_path text,
  log text NOT NULL DEFAULT '' CHECK (octet_length(log) <= 32768),
  started_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  PRIMARY KEY (version_id, builder)
);

CREATE TABLE artifacts.preview_build_file (
  version_id uuid NOT NULL,
  builder text NOT NULL,
  path text COLLATE "C" NOT NULL,
  sha256 text NOT NULL,
  bytes bigint NOT NULL CHECK (bytes >= 0),
  content_type text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('text', 'image', 'binary')),
  PRIMARY KEY (version_id, builder, path),
  FOREIGN KEY (version_id, builder) REFERENCES artifacts.preview_build (version_id, builder) ON DELETE CASCADE
);
CREATE INDEX preview_build_file_blob ON artifacts.preview_build_file (sha256);

-- One an artifact. The name stays reserved after it was taken down, so an old link never leads to another app.
CREATE TABLE artifacts.publication (
  artifact_id uuid PRIMARY KEY REFERENCES artifacts.artifact (id) ON DELETE CASCADE,
  project_id uuid NOT NULL,
  subdomain text NOT NULL UNIQUE CHECK (subdomain ~ '^[a-z0-9][a-z0-9-]{2,62}$'),
  -- Null while it is not published.
  version_number integer CHECK (version_number >= 1),
  published_at timestamptz(3) NOT NULL,
  published_by uuid,
  -- Why an admin took it down.
  taken_down_reason text CHECK (char_length(taken_down_reason) <= 500)
);
CREATE INDEX publication_project ON artifacts.publication (project_id) WHERE version_number IS NOT NULL;
